/// Tells loss by a way that is too narrow from loss by chance: only the former grows where more is sent, and stops
/// where less is.
///
///     wide ──── 4 reports of lasting loss while less is sent than asked for ──▶ asking: as much as was asked for
///     asking ── over the next reports no more is lost ────────▶ chance: the bitrate stays, FEC mends what it can
///          ├─── more is, and all that can be spared with FEC had been spared ──▶ trying: FEC off, less than gets through
///          └─── more is, else ─▶ wide, and the next question after four times as many reports
///     chance ── loss goes, or clearly grows, or 120 reports ──▶ wide
///     trying ── over the next reports less than half of that is lost ─────────▶ narrow: FEC stays off
///          └─── it is not ─────▶ wide, and the next question after four times as many reports
///     narrow ── up to the highest bitrate without loss ───────▶ wide
///          └─── 4 reports of any loss at the lowest bitrate, which FEC would mend ───▶ wide, as where a try finds nothing
///
/// A state machine without a clock: reports come about once a second. Thread: one at a time.
struct NarrowWay: Sendable {
  /// What is thought of the way.
  enum Stage: Sendable {
    case wide
    case asking
    case chance
    case trying
    case narrow
  }

  /// What is sent while a report is made: bits a second on the way, and where that lies.
  struct Rate {
    var bitsPerSecond: Double
    /// The most that would be sent with FEC.
    var highest: Double
    /// Whether the bitrate is the lowest with FEC, or in `narrow` the lowest of all.
    var isAtFloor: Bool
    /// Whether the bitrate is the highest of all.
    var isAtTop: Bool
  }

  private(set) var stage = Stage.wide
  /// What got through when last it was asked for more, in bit/s on the way.
  private(set) var capacity = 0.0
  private var reportCount = 0
  private var lossSum = 0.0
  /// What led to the question: the loss, at which rate.
  private var before = (loss: 0.0, rate: Rate(bitsPerSecond: 0, highest: 0, isAtFloor: false, isAtTop: false))
  private var patience = Self.firstPatience
  private var lastBitsPerSecond = 0.0

  private static let firstPatience = 4
  private static let longestPatience = 512
  /// The first report of a trial is of what was sent before. Three of 50 packets each tell 10 % from 25 %, which is
  /// what a way for 24 kbit/s with headers loses of 32; two tell a tenth from a fifth.
  private static let settlingReports = 1
  private static let askedReports = 3
  private static let triedReports = 2
  /// Loss that lasts: of less FEC rebuilds nearly all, of more on the average nothing helps.
  private static let leastLoss = 0.02
  private static let mostLoss = 0.4
  /// As much is an outage, or that reports are lost, too. It says nothing about the rate.
  private static let outage = 0.9
  /// Where more of 24 kbit/s with headers is lost, 12 kbit/s would not get through either: 28 kbit/s of 40, with
  /// headers.
  private static let hopeless = 0.28
  /// So much more must be asked for that an answer can be told from chance.
  private static let leastStep = 1.1
  /// What chance has come to be is believed for so long, unless so much more is lost.
  private static let believedReports = 120
  private static let moreLoss = 0.1
  private static let noLoss = 0.01

  /// Takes in a report.
  ///
  /// - Parameters:
  ///   - loss: what it says.
  ///   - smoothedLoss: what it and those before say.
  ///   - rate: what was sent meanwhile.
  mutating func receive(loss: Double, smoothedLoss: Double, at rate: Rate) {
    guard loss < Self.outage || stage == .chance else { return }
    // A report is partly of what was sent before the rate changed.
    let isSettled = rate.bitsPerSecond == lastBitsPerSecond
    lastBitsPerSecond = rate.bitsPerSecond
    switch stage {
    case .wide:
      let isSpared = rate.bitsPerSecond * Self.leastStep <= rate.highest
      guard count(loss, isSpared && isSettled), reportCount >= patience, lossSum < Self.mostLoss * Double(reportCount)
      else {
        return
      }
      before = (lossSum / Double(reportCount), rate)
      enter(.asking)
    case .asking:
      guard let asked = meanLoss(loss, over: Self.askedReports) else { return }
      answer(asked)
    case .chance:
      reportCount += 1
      if smoothedLoss < Self.noLoss {
        patience = Self.firstPatience
        enter(.wide)
      } else if smoothedLoss > before.loss + Self.moreLoss || reportCount == Self.believedReports {
        enter(.wide)
      }
    case .trying:
      guard let tried = meanLoss(loss, over: Self.triedReports) else { return }
      if tried < before.loss / 2 { enter(.narrow) } else { giveUp() }
    case .narrow:
      if rate.isAtTop {
        patience = Self.firstPatience
        enter(.wide)
      } else if count(loss, rate.isAtFloor), reportCount == Self.firstPatience {
        giveUp()
      }
    }
  }

  /// Decides by what is lost where as much is sent as was asked for: a full way takes no more of it than before.
  private mutating func answer(_ loss: Double) {
    let ifFull = 1 - (1 - before.loss) * before.rate.bitsPerSecond / before.rate.highest
    if loss < (before.loss + ifFull) / 2 {
      before.loss = max(before.loss, loss)
      enter(.chance)
    } else if before.rate.isAtFloor, before.loss < Self.hopeless {
      capacity = (1 - loss) * before.rate.highest
      enter(.trying)
    } else {
      giveUp()
    }
  }

  private mutating func giveUp() {
    patience = min(Self.longestPatience, 4 * patience)
    enter(.wide)
  }

  /// Counts reports of loss that lasts although less is sent. Returns: whether this is one.
  private mutating func count(_ loss: Double, _ isLessSent: Bool) -> Bool {
    guard isLessSent, loss >= Self.leastLoss else {
      reportCount = 0
      lossSum = 0
      return false
    }
    reportCount += 1
    lossSum += loss
    return true
  }

  /// Returns: the mean loss of so many reports since the stage was entered, with the last of them.
  private mutating func meanLoss(_ loss: Double, over count: Int) -> Double? {
    reportCount += 1
    if reportCount > Self.settlingReports { lossSum += loss }
    return reportCount == Self.settlingReports + count ? lossSum / Double(count) : nil
  }

  private mutating func enter(_ stage: Stage) {
    self.stage = stage
    reportCount = 0
    lossSum = 0
  }
}
