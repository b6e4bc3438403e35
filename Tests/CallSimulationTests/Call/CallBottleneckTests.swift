import CallSimulation
import Engine
import MediaStreams
import NetworkSimulation
import OpusCodec
import Testing

/// Senders that adapt, on ways that take only so much.
@Suite(.timeLimit(.minutes(10))) struct CallBottleneckTests {
  private let files = CallFiles()

  @Test(
    "on a way that is too narrow for what is sent, nearly nothing is lost once the sender has found that out",
    arguments: [31, 33] as [Double])
  func narrow(kilobits: Double) throws {
    var call = SimulatedCall(
      users: [],
      conditions: try NetworkConditions(
        delay: .milliseconds(20),
        bottleneck: Bottleneck(bitsPerSecond: Int(1_000 * kilobits), queueDuration: .milliseconds(200))),
      codec: .opus(OpusOptions(bitrate: 32_000, complexity: 0, packetDuration: .milliseconds20)), durationSeconds: 90)
    call.adapts = true
    for uid in 1...UInt32(2) {
      call.users.append(
        CallUser(uid: uid, path: try files.voice("\(uid).wav", seed: UInt64(uid), seconds: call.durationSeconds!)))
    }
    for heard in try call.run().listeners.flatMap(\.heard) {
      let late = heard.seconds.filter { $0.timeSeconds >= 50 }
      let (sent, lost) = (late.map(\.sent).reduce(0, +), late.map(\.lost).reduce(0, +))
      #expect(Double(lost) < 0.02 * Double(sent), "\(heard.seconds.map(\.lost))")
      let concealed = late.map(\.concealedMilliseconds).reduce(0, +)
      #expect(concealed < 0.02 * 40_000, "\(concealed) ms")
    }
  }
}
