import TestSupport
import Testing

@testable import Engine

@Suite(.timeLimit(.minutes(10))) struct RetiredMeterTests {
  @Test("a retired meter gives values until its plan ends", .shows("P1"))
  func late() {
    var departing = RetiredMeter(3..<6, tick: 0)
    let given = (0..<10).map { tick in departing.value(atTick: tick) { $0.contains(tick) ? tick : nil } }
    #expect(given == [nil, nil, nil, 3, 4, 5, nil, nil, nil, nil])
    #expect(departing.isGone)
    var waiting = RetiredMeter(3..<6, tick: 0)
    for tick in 0..<3 {
      #expect(waiting.value(atTick: tick) { $0.contains(tick) ? tick : nil } == nil && !waiting.isGone)
    }
  }

  @Test("a retired meter without a plan is gone after a second")
  func never() {
    var departing = RetiredMeter((), tick: 40)
    var tick = 40
    while !departing.isGone, tick < 1_000 {
      #expect(departing.value(atTick: tick) { () -> Int? in nil } == nil)
      tick += 1
    }
    #expect(tick == 141)
  }
}
