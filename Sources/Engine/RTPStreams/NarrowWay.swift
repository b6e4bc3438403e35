/// Tells loss by a way that is too narrow from loss by chance: the former stops where less is sent.
///
///     wide ──── 4 reports of lasting loss at the lowest bitrate with FEC ───▶ trying: FEC off, lowest bitrate
///     trying ── over the next reports less than half of that is lost ───────▶ narrow: FEC stays off
///          └─── it is not ─────▶ wide, and the next try after four times as many reports
///     narrow ── up to the highest bitrate without loss ─────▶ wide
///          └─── 4 reports of any loss at the lowest bitrate, which FEC would mend ─────▶ wide, as where a try finds nothing
///
/// A state machine without a clock: reports come about once a second. Thread: one at a time.
struct NarrowWay: Sendable {
  /// What is thought of the way.
  enum Stage: Sendable {
    case wide
    case trying
    case narrow
  }

  private(set) var stage = Stage.wide
  private var reportCount = 0
  private var lossSum = 0.0
  /// The loss that led to the try.
  private var lossBefore = 0.0
  private var patience = Self.firstPatience

  private static let firstPatience = 4
  private static let longestPatience = 512
  /// The first report of a try is of what was sent before. Two of 50 to 100 packets each tell a tenth from a fifth.
  private static let settlingReports = 1
  private static let judgedReports = 2
  /// Loss that lasts, smoothed and by each report: of less FEC rebuilds nearly all; and where so much of 24 kbit/s with
  /// headers is lost, 12 kbit/s would not get through either: 28 kbit/s of 40, with headers.
  private static let lasting = 0.1..<0.28
  private static let reported = 0.02..<0.9

  /// Takes in a report.
  ///
  /// - Parameters:
  ///   - loss: what it says.
  ///   - smoothedLoss: what it and those before say.
  ///   - isAtFloor: whether the bitrate is the lowest with FEC, or in `narrow` the lowest of all.
  ///   - isAtTop: whether it is the highest of all.
  mutating func receive(loss: Double, smoothedLoss: Double, isAtFloor: Bool, isAtTop: Bool) {
    let isLossy = isAtFloor && Self.reported.contains(loss)
    switch stage {
    case .wide:
      guard count(loss, isLossy && Self.lasting.contains(smoothedLoss)), reportCount >= patience else { return }
      lossBefore = lossSum / Double(reportCount)
      enter(.trying)
    case .trying:
      reportCount += 1
      if reportCount > Self.settlingReports { lossSum += loss }
      guard reportCount == Self.settlingReports + Self.judgedReports else { return }
      let isLess = lossSum / Double(Self.judgedReports) < lossBefore / 2
      if isLess { enter(.narrow) } else { giveUp() }
    case .narrow:
      if isAtTop {
        patience = Self.firstPatience
        enter(.wide)
      } else if count(loss, isLossy), reportCount == Self.firstPatience {
        giveUp()
      }
    }
  }

  private mutating func giveUp() {
    patience = min(Self.longestPatience, 4 * patience)
    enter(.wide)
  }

  /// Counts reports of loss that lasts although as little is sent as may be. Returns: whether this is one.
  private mutating func count(_ loss: Double, _ isOne: Bool) -> Bool {
    guard isOne else {
      reportCount = 0
      lossSum = 0
      return false
    }
    reportCount += 1
    lossSum += loss
    return true
  }

  private mutating func enter(_ stage: Stage) {
    self.stage = stage
    reportCount = 0
    lossSum = 0
  }
}
