import AudioPipe

/// Sends a voice through code of one's own and back into the pipeline as another user: PushBack [FILE]
///
///     file ▶ user 1 ▶ (BEFORE MIXING) ─┐                 mix ▶ pull ▶ this program
///                       ring modulator └▶ push ▶ user 2 ▶─┘
@main
enum PushBack {
  static func main() { Program.run(push) }

  private static func push() throws {
    let path = CommandLine.arguments.dropFirst().first ?? "/usr/share/sounds/alsa/Front_Center.wav"
    let reader = try AudioFileReader.open(path: path)
    let rate = reader.format.sampleRate
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: rate, channelCount: 2)
    let voice = try pipeline.addRemoteUser(1, from: .file(reader))
    let robot = try pipeline.addRemoteUser(2, from: .push(AudioFormat(sampleRate: rate, channelCount: 1)))
    try pipeline.setRemoteVoicePosition(1, pan: -0.5)
    try pipeline.setRemoteVoicePosition(2, pan: 0.5, gain: 80)

    // What is heard of user 1 at tick k can be played at tick k + 1 at the earliest: 20 ms of silence go ahead.
    let silence = [Int16](repeating: 0, count: rate / 50)
    _ = robot.push(silence.span)
    // Offline, on the tick. A live program registers with `isAsynchronous: true`, since `push` takes a lock.
    let params = try AudioParams(sampleRate: rate, channelCount: 1, interval: .milliseconds(10))
    try pipeline.observe(.beforeMixing, as: params) { frame, origin in
      guard origin.uid == 1 else { return }
      var samples = [Int16]()
      for index in 0..<frame.samples.count {
        let isOdd = (frame.samplePosition + index) / (rate / 120) % 2 != 0
        samples.append(isOdd ? frame.samples[index] / -2 : frame.samples[index] / 2)
      }
      _ = robot.push(samples.span)
    }

    let sink = try pipeline.addSink(.pull(AudioFormat(sampleRate: 16_000, channelCount: 1)))
    var heard = [Int16](repeating: 0, count: 1_600)
    var total = 0
    var loudest: Int16 = 0
    try pipeline.runToEnd {
      if voice.isExhausted { robot.finish() }
      var span = heard.mutableSpan
      let count = sink.pull(into: &span)
      total += count
      for sample in heard[..<count] { loudest = max(loudest, sample) }
      return false
    }
    print("pulled \(total) samples at 16 kHz, peak \(loudest), \(robot.underrunCount) missing")
  }
}
