import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct ReceptionIntervalTests {
  /// What of ten packets, of which some were missing, is lost before and after repair.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let change: @Sendable (inout JitterBufferStatistics) -> Void
    let loss: Double?
    let afterRepair: Double?

    init(
      _ name: String, _ loss: Double?, _ afterRepair: Double?,
      _ change: @escaping @Sendable (inout JitterBufferStatistics) -> Void
    ) {
      self.name = name
      self.change = change
      self.loss = loss
      self.afterRepair = afterRepair
    }

    var testDescription: String { name }
  }

  static let rows = [
    Row("nothing was due", nil, nil) { _ in },
    Row("all came", 0, 0) { $0.packetsReceived += 10 },
    Row("two never came", 0.2, 0.2) {
      $0.packetsReceived += 8
      $0.packetsLost += 2
    },
    Row("two never came, and one was rebuilt", 0.2, 0.1) {
      $0.packetsReceived += 8
      $0.packetsLost += 2
      $0.fecPacketsUsed += 1
    },
    Row("one came too late", 0, 0.1) {
      $0.packetsReceived += 10
      $0.packetsDiscarded += 1
    },
    Row("one was rebuilt, and came too late after all", 0, 0) {
      $0.packetsReceived += 10
      $0.packetsDiscarded += 1
      $0.fecPacketsUsed += 1
    },
    Row("one that was lost in the interval before came", 0, 0) {
      $0.packetsReceived += 11
      $0.packetsLost -= 1
    },
    Row("nothing had come for so long that five were overdue", 0.5, 0.5) {
      $0.packetsReceived += 5
      $0.overdueSamples += 4_800
    },
    Row("of an outage of 500 packets of any length two were overdue in the interval", 0.2, 0.2) {
      $0.packetsReceived += 8
      $0.packetsLost += 500
      $0.packetsLostOverdue += 500
      $0.overdueSamples += 1_920
    },
    Row("what was overdue had never been sent", 0, 0) {
      $0.packetsReceived += 10
      $0.overdueSamples -= 480_000
    },
    Row("one was sent again in time", 0.1, 0) {
      $0.packetsReceived += 10
      $0.retransmittedPacketsReceived += 1
      $0.retransmittedPacketsUsed += 1
    },
    Row("one was sent again, and came too late", 0.1, 0.1) {
      $0.packetsReceived += 10
      $0.packetsDiscarded += 1
      $0.retransmittedPacketsReceived += 1
    },
    Row("one was rebuilt and sent again", 0.1, 0) {
      $0.packetsReceived += 10
      $0.packetsDiscarded += 1
      $0.fecPacketsUsed += 1
      $0.retransmittedPacketsReceived += 1
    },
  ]

  @Test("network loss and loss after repair are counted apart", .shows("D12"), arguments: rows)
  func losses(_ row: Row) {
    var old = JitterBufferStatistics()
    old.packetsReceived = 1_000
    old.packetsLost = 50
    old.packetsDiscarded = 5
    var new = old
    row.change(&new)
    let interval = ReceptionInterval(from: old, to: new, overdueSamples: new.overdueSamples)
    #expect(interval.loss == row.loss)
    #expect(interval.lossAfterRepair == row.afterRepair)
  }

  @Test("delay and concealment are those of the interval alone")
  func sound() {
    var old = JitterBufferStatistics()
    old.jitterBufferDelay = 100
    old.jitterBufferEmittedCount = 48_000
    old.totalSamplesReceived = 96_000
    old.concealedSamples = 9_600
    var new = old
    new.jitterBufferDelay += 0.04 * 48_000
    new.jitterBufferEmittedCount += 48_000
    new.totalSamplesReceived += 96_000
    new.idleSamples += 48_000
    new.concealedSamples += 12_000
    let interval = ReceptionInterval(from: old, to: new, overdueSamples: new.overdueSamples)
    #expect(abs(interval.bufferMilliseconds - 40) < 1e-9)
    #expect(interval.concealedShare == 0.25)
    #expect(ReceptionInterval(from: new, to: new, overdueSamples: new.overdueSamples).concealedShare == nil)
  }

  @Test(
    "a pause taken for a stall does not count in the interval that ends it",
    .shows("D12"))
  func pause() {
    // 3 s of it were frozen in the intervals before, a second in this one, in which it ends; then a second is heard.
    var old = JitterBufferStatistics()
    old.totalSamplesReceived = 10 * 48_000
    old.concealedSamples = 3 * 48_000
    old.frozenSamples = 3 * 48_000
    var new = old
    new.totalSamplesReceived += 2 * 48_000
    new.concealedSamples -= 3 * 48_000
    new.frozenSamples -= 3 * 48_000
    new.idleSamples += 4 * 48_000
    #expect(ReceptionInterval(from: old, to: new, overdueSamples: 0).concealedShare == 0)
    new.concealedSamples += 12_000
    #expect(ReceptionInterval(from: old, to: new, overdueSamples: 0).concealedShare == 0.25)
  }
}
