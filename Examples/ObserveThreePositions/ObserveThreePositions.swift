import AudioPipe

/// Counts the frames of three positions and finds their peaks: ObserveThreePositions [FILE]
final class Peaks: AudioDataFrameObserver, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the audio thread alone writes, and main reads when it is done.
  private(set) var found: [String: (frames: Int, peak: Int)] = [:]

  func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { look(frame.frame, at: "record") }
  func onPlaybackAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { look(frame.frame, at: "playback") }
  func onMixedAudioFrame(_ frame: inout MutableAudioFrame) -> Bool { look(frame.frame, at: "mixed") }

  private func look(_ frame: borrowing AudioFrame, at position: String) -> Bool {
    var (frames, peak) = found[position] ?? (0, 0)
    for index in 0..<frame.samples.count { peak = max(peak, abs(Int(frame.samples[index]))) }
    found[position] = (frames + 1, peak)
    return true
  }
}

@main
enum ObserveThreePositions {
  static func main() { Program.run(observe) }

  private static func observe() throws {
    let peaks = Peaks()
    var job = FileProcessing()
    job.input = .path(CommandLine.arguments.dropFirst().first ?? "/usr/share/sounds/alsa/Front_Center.wav")
    job.observers = [.observer(peaks, mask: [.record, .playback, .mixed])]
    _ = try job.prepare().run()
    for (position, found) in peaks.found.sorted(by: { $0.key < $1.key }) {
      print("\(position): \(found.frames) frames of 10 ms, peak \(found.peak)")
    }
  }
}
