import AudioGraph
import CallSimulation
import Channels
import MediaStreams
import NetworkSimulation
import OpusCodec
import TestSupport
import Testing

/// Calls through a relay that last for hours. AUDIOPIPE_LONG=1 has 24 hours.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct LongCallTests {
  private let calls = ChannelCalls()

  @Test("a call of hours at a tenth of packets lost reports no interruption", .shows("C9"))
  func lossy() throws {
    let hours = LongRun.isWanted ? 24.0 : 0.05
    var call = try calls.call(2, seconds: hours * 3_600, conditions: ChannelCalls.delay(30, loss: 0.1))
    call.codec = .null(.milliseconds20)
    call.seedsEncryption = true
    let result = try call.run()
    for user: UInt32 in 1...2 {
      let states = result.connection(of: user).filter { $0.text != "user \(3 - user) joined" }.map(\.text)
      #expect(states == ["state 2/0", "state 3/1", "joined as \(user)"], "\(result.connection(of: user))")
      let heard = try #require(result.listeners.first { $0.uid == user }?.heard.first)
      #expect(heard.seconds.dropFirst(2).dropLast().allSatisfy { $0.packets > 25 })
      #expect(heard.statistics.ledger.imbalance() == 0)
    }
  }
}
