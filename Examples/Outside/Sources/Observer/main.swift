import AudioPipe

final class Peaks: AudioDataFrameObserver {
  func onPlaybackAudioFrameBeforeMixing(_ frame: inout MutableAudioFrame, uid: UInt32) -> Bool {
    var peak = 0
    for index in 0..<frame.samples.count { peak = max(peak, abs(Int(frame.samples[index]))) }
    print("user \(uid) at \(frame.samplePosition): \(frame.samplesPerChannel) samples, peak \(peak)")
    return true
  }
}

await Program.run {
  let pipeline = try AudioPipeline(mode: .offline)
  try pipeline.addSpeaker(1, from: .file("/usr/share/sounds/alsa/Front_Center.wav"))
  try pipeline.register(Peaks(), mask: .beforeMixing)
  try await pipeline.run()
}
