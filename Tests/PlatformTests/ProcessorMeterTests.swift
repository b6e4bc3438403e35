import TestSupport
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct ProcessorMeterTests {
  @Test("the system's share is busy time over all time in /proc/stat", .shows("D9"))
  func system() throws {
    let old = try #require(ProcessorMeter.SystemTime(line: "cpu  100 10 50 800 20 5 15 0 7 0"))
    let new = try #require(ProcessorMeter.SystemTime(line: "cpu  130 10 60 850 20 5 25 0 9 0"))
    // 30 + 10 + 10 of 100 were busy; guests are counted with users.
    #expect(ProcessorMeter.share(from: old, to: new) == 0.5)
    #expect(ProcessorMeter.share(from: old, to: old) == nil)
    #expect(ProcessorMeter.SystemTime(line: "cpu0 1 2 3 4 5 6 7 8") == nil)
    #expect(ProcessorMeter.SystemTime(line: "cpu  1 2 3") == nil)
  }

  @Test("a busy processor is seen, and shares lie between 0 and 1")
  func process() {
    var meter = ProcessorMeter()
    var sum = 0.0
    for index in 1..<2_000_000 { sum += 1 / Double(index) }
    let use = meter.measure()
    #expect(sum > 10)
    #expect(use.process > 0 && use.process <= 1)
    if let system = use.system { #expect((0...1).contains(system)) }
  }
}
