import AudioPipe

await Program.run {
  let pipeline = try AudioPipeline(mode: .offline)
  try pipeline.addSpeaker(1, from: .file("/usr/share/sounds/alsa/Front_Center.wav"))
  try pipeline.addSink(.file("out.wav", overwrite: true))
  try pipeline.modify(.record) { frame, origin in
    if frame.samplePosition >= 48_000 { frame.mute() }
  }
  let recogniser = try AudioParams(sampleRate: 16_000, channelCount: 1, interval: .milliseconds(500))
  try pipeline.observe(.beforeMixing, as: recogniser) { frame, origin in
    print("user \(origin.uid): \(frame.samplesPerChannel) samples at \(frame.sampleRate) Hz")
  }
  try await pipeline.run()
}
