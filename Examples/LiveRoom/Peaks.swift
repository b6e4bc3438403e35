import AudioPipe

/// Finds the peak of each position.
final class Peaks: AudioDataFrameObserver, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the audio thread alone writes, and the program reads after the registration.
  private(set) var found: [String: Int] = [:]
  let recordAudioParams = try? AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 1_600)

  func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { look(frame.frame, at: "record") }
  func onPlaybackAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { look(frame.frame, at: "playback") }
  func onPlaybackAudioFrameBeforeMixing(_ frame: inout MutableAudioFrame, uid: UInt32) -> Bool {
    look(frame.frame, at: "a user")
  }

  private func look(_ frame: borrowing AudioFrame, at position: String) -> Bool {
    for index in 0..<frame.samples.count { found[position] = max(found[position] ?? 0, abs(Int(frame.samples[index]))) }
    return true
  }
}
