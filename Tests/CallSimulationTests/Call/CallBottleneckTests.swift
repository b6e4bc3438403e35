import CallSimulation
import Engine
import MediaStreams
import NetworkSimulation
import OpusCodec
import TestSupport
import Testing

/// Senders that adapt, on paths that take only so much.
@Suite(.timeLimit(.minutes(10))) struct CallBottleneckTests {
  private let files = CallFiles()
  /// Rates in kbit/s, and queues in ms. The others take 10 s.
  private static let paths: [(Double, Int)] =
    [(27, 200), (33, 60)] + (LongRun.isWanted ? [(30, 90), (40, 200), (45, 200)] : [])

  @Test(
    "on a narrow path an adapting sender is as good as 24 kbit/s with FEC", .shows("simulate: reports"),
    arguments: paths)
  func narrow(kilobits: Double, queueMilliseconds: Int) throws {
    let queue = Duration.milliseconds(queueMilliseconds)
    let fixed = try concealed(bitrate: 24_000, adapts: false, kilobits: kilobits, queue: queue)
    let adapting = try concealed(bitrate: 32_000, adapts: true, kilobits: kilobits, queue: queue)
    // Of 40 s.
    #expect(zip(fixed, adapting).allSatisfy { $1 <= $0 + 80 }, "\(fixed) and \(adapting) ms")
  }

  /// Returns: milliseconds that each of two listeners heard concealed from the 50th second on.
  private func concealed(bitrate: Int, adapts: Bool, kilobits: Double, queue: Duration) throws -> [Double] {
    var call = SimulatedCall(
      users: [],
      conditions: try NetworkConditions(
        delay: .milliseconds(20),
        bottleneck: Bottleneck(bitsPerSecond: Int(1_000 * kilobits), queueDuration: queue)),
      codec: .opus(
        OpusOptions(
          bitrate: bitrate, complexity: 0, packetDuration: .milliseconds20, forwardErrorCorrection: true)),
      durationSeconds: 90)
    call.adapts = adapts
    for uid in 1...UInt32(2) {
      call.users.append(
        CallUser(uid: uid, path: try files.voice("\(uid).wav", seed: UInt64(uid), seconds: call.durationSeconds!)))
    }
    return try call.run().listeners.flatMap(\.heard).map { heard in
      heard.seconds.filter { $0.timeSeconds >= 50 }.map(\.concealedMilliseconds).reduce(0, +)
    }
  }
}
