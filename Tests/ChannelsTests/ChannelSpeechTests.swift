import AudioGraph
import ChannelTestSupport
import Channels
import Engine
import FrameObservers
import TestSupport
import Testing

@Suite("speech of a channel's user", .timeLimit(.minutes(10)))
struct ChannelSpeechTests {
  /// A vowel of 150 Hz with falling harmonics between two times, above faint noise.
  private static func voice(seconds: Int, _ span: Range<Double>) -> [Float] {
    seededNoise(count: seconds * 48_000, seed: 1, amplitude: 0.0005).enumerated().map { index, sample in
      let time = Double(index) / 48_000
      guard span.contains(time) else { return sample }
      return (1...12).reduce(sample) { $0 + 0.2 / Float($1) * sine(150 * Double($1) * time) }
    }
  }

  @Test(
    "speech of a channel's user begins with its pre-roll", .shows("C22", "frames of a user"),
    arguments: [100, 300, 500])
  func preRoll(milliseconds: Int) async throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let peer = try rig.addPeer(DelegateLog())
    let source = try peer.pipeline.setLocalSource(
      .push(.init(sampleRate: 48_000, channelCount: 1), buffer: .seconds(6)))
    #expect(source.push(Self.voice(seconds: 6, 2..<3.5).span) == 6 * 48_000)
    source.finish()
    let stream = try rig.engine.pipeline.speech(
      of: 9, channel: "lobby", as: AudioParams(sampleRate: 16_000, channelCount: 1),
      preRoll: .milliseconds(milliseconds))
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .audience, completion: nil)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .broadcaster, completion: nil)
    rig.run(to: 6)
    rig.engine.pipeline.finishStepping()
    var (begins, ends) = (0, 0)
    var samples: [Int16] = []
    for await part in stream {
      switch part {
      case .began: begins += 1
      case .frame(let frame):
        #expect(frame.origin?.uid == 9 && frame.origin?.channelID == "lobby")
        samples += frame.samples
      case .ended: ends += 1
      }
    }
    #expect(begins == 1 && ends == 1)
    let onset = try #require(samples.firstIndex { abs(Int($0)) > 2_000 })
    // The detector decides within 120 ms, some of them before the vowel, in the codec's pre-echo.
    #expect((milliseconds - 120...milliseconds + 40).contains(onset / 16), "the word begins after \(onset / 16) ms")
    // The word of 1.5 s is whole, and the longest pause of 500 ms follows.
    #expect((1_950...2_300).contains(samples.count / 16 - onset / 16), "\(samples.count / 16 - onset / 16) ms")
  }
}
