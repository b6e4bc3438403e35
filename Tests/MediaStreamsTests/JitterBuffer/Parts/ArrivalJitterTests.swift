import TestSupport
import Testing

@testable import MediaStreams
@testable import RTP

@Suite(.timeLimit(.minutes(10))) struct ArrivalJitterTests {
  @Test("evenly spaced packets have no jitter at any delay")
  func none() {
    var jitter = ArrivalJitter()
    for index in 0..<100 {
      jitter.observe(sequence: index, timestamp: index * 960, arrival: 70_000_000 + index * 20_000_000)
    }
    #expect(jitter.nanoseconds == 0)
  }

  @Test("jitter of ordered packets equals that of reception reports", arguments: 1...5)
  func reports(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var jitter = ArrivalJitter()
    var statistics = ReceptionStatistics()
    for index in 0..<500 {
      let arrival = index * 20_000_000 + Int.random(in: 0..<19_000_000, using: &random)
      jitter.observe(sequence: index, timestamp: index * 960, arrival: arrival)
      statistics.receive(
        sequence: index, timestamp: UInt32(index * 960), arrivalNanoseconds: arrival)
    }
    // RFC 3550 counts in whole units of 1/48 ms.
    #expect(abs(jitter.nanoseconds / 1e9 * 48_000 - Double(statistics.jitter)) < 3)
  }

  @Test("a packet behind a later one does not count")
  func late() {
    var jitter = ArrivalJitter()
    for index in 0..<100 where index != 50 {
      jitter.observe(sequence: index, timestamp: index * 960, arrival: index * 20_000_000)
      if index == 60 { jitter.observe(sequence: 50, timestamp: 50 * 960, arrival: index * 20_000_000) }
    }
    #expect(jitter.nanoseconds == 0)
  }
}
