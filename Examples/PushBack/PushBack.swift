import AudioFiles
import AudioGraph
import Engine
import ExampleSupport
import FrameObservers
import Synchronization

/// Sends a voice through code of one's own and back into the pipeline as another user: PushBack [FILE]
///
///     file ▶ user 1 ▶ (BEFORE MIXING) ─┐                 mix ▶ pull ▶ this program
///                       ring modulator └▶ push ▶ user 2 ▶─┘
@main
enum PushBack {
  static func main() { Example.run(push) }

  private static func push() throws {
    let path = CommandLine.arguments.dropFirst().first ?? "/usr/share/sounds/alsa/Front_Center.wav"
    let reader = try AudioFileReader.open(path: path)
    let rate = reader.format.sampleRate
    let pipeline = try AudioPipeline(PipelineOptions(sampleRate: rate, channelCount: 2, isLossless: true))
    let voice = try FileSource(reader, sampleRate: rate, uid: 1, ready: pipeline.bell)
    let robot = try PushSource(
      AudioFormat(sampleRate: rate, channelCount: 1), sampleRate: rate, uid: 2, ready: pipeline.bell)
    try pipeline.addRemoteUser(1, from: voice)
    try pipeline.addRemoteUser(2, from: robot)
    try pipeline.setRemoteVoicePosition(1, pan: -0.5)
    try pipeline.setRemoteVoicePosition(2, pan: 0.5, gain: 80)

    // What is heard of user 1 at tick k can be played at tick k + 1 at the earliest: 20 ms of silence go ahead.
    let silence = [Int16](repeating: 0, count: rate / 50)
    _ = robot.push(silence.span)
    // Offline, on the tick. A live program registers with `isAsynchronous: true`, since `push` takes a lock.
    let params = try AudioParams(sampleRate: rate, channelCount: 1, samplesPerCall: rate / 100)
    let request = ObserverRequest.look(at: .beforeMixing, params: [.beforeMixing: params]) { frame, source in
      guard source.uid == 1 else { return }
      var samples = [Int16]()
      for index in 0..<frame.samples.count {
        let isOdd = (frame.samplePosition + index) / (rate / 120) % 2 != 0
        samples.append(isOdd ? frame.samples[index] / -2 : frame.samples[index] / 2)
      }
      _ = robot.push(samples.span)
    }
    _ = try pipeline.observe(request)

    let sink = try PullSink(AudioFormat(sampleRate: 16_000, channelCount: 1), of: pipeline)
    try pipeline.addSink(sink)
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
