import Platform
import Signalling
import TestSupport
import Testing

@testable import Relay

@Suite("join times of a relay", .timeLimit(.minutes(10))) struct JoinTimeTests {
  @Test("a delay at a bound is within its bucket")
  func buckets() {
    var histogram = LatencyHistogram(bounds: [10, 20])
    for delay in [-5, 0, 10, 11, 20, 21, 1_000] { histogram.add(nanoseconds: delay) }
    #expect(histogram.countsUpToBounds == [3, 5] && histogram.count == 7)
    #expect(histogram.sumNanoseconds == 1_062)
  }

  @Test("a join counts once, as soon as its media connection is established", .shows("join times"))
  func once() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 1))
    let media = client.join(uid: 1, profile: .communication)
    #expect(relay.core.counters.joinTimes.count == 0)
    relay.run(1_000)
    #expect(media.isConnected && relay.core.counters.joinTimes.count == 1)
    #expect(
      relay.core.counters.joinTimes.sumNanoseconds > 0 && relay.core.counters.joinTimes.sumNanoseconds < 1_000_000_000)
    media.sendPacket(1)
    relay.run(5_000)
    #expect(relay.core.counters.joinTimes.count == 1)
  }

  @Test("a join that takes over a preload counts at once")
  func preloaded() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 1))
    client.preload(uid: 1, profile: .communication)
    relay.run(1_000)
    #expect(relay.core.counters.joinTimes.count == 0)
    client.join(uid: 1, profile: .communication, preloaded: true)
    #expect(relay.core.counters.joinTimes.count == 1 && relay.core.counters.joinTimes.sumNanoseconds == 0)
  }
}
