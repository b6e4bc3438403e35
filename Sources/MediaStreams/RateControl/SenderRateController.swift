public import OpusCodec

/// Chooses FEC, the packets' duration and the bit rate by the receiver's reports.
///
///     loss, smoothed ─▶ FEC on from 1 %, off below 0.3 %; packets of 20 ms from the first FEC on
///     loss above 5 % ─▶ the lowest bit rate for 10 reports, then a trial of the highest
///     the trial loses significantly more ─▶ the path is full: the lowest bit rate, with FEC
///     not so in 30 reports ─▶ random loss, which fewer bits do not lessen: the highest bit rate, with FEC
///
/// A full path gets another trial after 300 reports, and later ones after twice as many each time, up to 1200. Random
/// loss gets one after as many reports, or at once when it has doubled.
/// Loss is the only sign that every path gives: a short queue adds no delay, and a long path is not a queue. The lowest
/// bit rate is 24 kbit/s, the least with capacity for FEC; there is none between it and the highest.
///
/// A state machine without a clock: reports come about once a second. Thread: one at a time.
public struct SenderRateController: Sendable {
  /// Options to be used now.
  public private(set) var options: OpusOptions
  /// Reported loss, smoothed, 0...1.
  public private(set) var loss = 0.0
  private let highestBitrate: Int
  private let lowestBitrate: Int
  private var reportCount = 0
  private var phase = Phase.asked
  private var atHighest = LossSample()
  private var atLowest = LossSample()
  /// Reports since the phase began.
  private var phaseReports = 0
  /// Reports before the next comparison.
  private var patience = Self.firstPatience
  /// Loss that the last comparison found at the highest bit rate, 0...1.
  private var randomLoss = 0.0

  private enum Phase {
    /// The highest bit rate.
    case asked
    /// The lowest bit rate, until its loss is known.
    case comparing
    /// The highest bit rate, until its loss is known.
    case trial
    /// The lowest bit rate, as the highest loses more.
    case full
  }

  /// Bit rate below which Opus has no bits for FEC.
  private static let lowestBitrate = 24_000
  /// Range of the loss that FEC is sized for, in percent. FEC for more loss takes so many bits from the voice that it
  /// sounds worse by more than FEC recovers.
  private static let expectedLoss = 5...10
  /// Expected over reported loss. Twice the loss would be as good; the loss alone is 0.03 worse in PESQ at 5 %.
  private static let expectedOverReported = 1.5
  /// Smoothing of rising loss. Loss is believed within a few reports, its end more slowly, so that FEC does not come
  /// and go with chance.
  private static let risingSmoothing = 0.3
  private static let fallingSmoothing = 0.2
  /// Number of reports before which a loss of 0 is not yet believed.
  private static let leastReports = 5
  private static let littleLoss = 0.003
  /// Loss below which FEC recovers nearly all packets.
  private static let muchLoss = 0.05
  /// Loss at the lowest bit rate above which no trial begins: it would cost a full path more than random loss would
  /// gain.
  private static let mostLoss = 0.28
  /// Number of reports after a change that still count packets of the bit rate before; a full queue also takes time to
  /// drain.
  private static let unsettledReports = 2
  private static let comparedReports = 10
  private static let firstPatience = 300
  private static let longestPatience = 1_200

  /// Creates a controller that begins with `options` and never exceeds their bit rate.
  public init(_ options: OpusOptions) {
    self.options = options
    highestBitrate = options.bitrate
    lowestBitrate = min(options.bitrate, Self.lowestBitrate)
  }

  /// Takes the loss from a report of the packets since the one before.
  ///
  /// - Parameter fractionLost: the share of lost packets, in parts of 256.
  /// - Returns: true if `options` have changed.
  public mutating func receive(fractionLost: UInt8) -> Bool {
    let before = options
    let reported = Double(fractionLost) / 256
    loss += (reported > loss ? Self.risingSmoothing : Self.fallingSmoothing) * (reported - loss)
    reportCount += 1
    phaseReports += 1
    chooseBitrate(reported)
    protect()
    return options != before
  }

  private mutating func chooseBitrate(_ reported: Double) {
    let isSettled = phaseReports > Self.unsettledReports
    switch phase {
    case .asked:
      if loss < Self.littleLoss { randomLoss = 0 }
      let isDue = randomLoss == 0 || phaseReports > patience || loss > 2 * randomLoss + Self.muchLoss
      if loss > Self.muchLoss, isDue, highestBitrate > lowestBitrate { enter(.comparing) }
    case .comparing:
      if isSettled { atLowest.add(reported) }
      if phaseReports >= Self.comparedReports, loss < Self.mostLoss { enter(.trial) }
    case .full:
      if isSettled { atLowest.add(reported) }
      guard phaseReports >= patience, loss < Self.mostLoss else { return }
      patience = min(Self.longestPatience, 2 * patience)
      enter(.trial)
    case .trial:
      if isSettled { atHighest.add(reported) }
      if atHighest.exceeds(atLowest) {
        enter(.full)
      } else if phaseReports >= LossSample.mostReports {
        randomLoss = atHighest.mean
        enter(.asked)
      }
    }
  }

  private var isAtLowest: Bool { phase == .comparing || phase == .full }

  private mutating func enter(_ next: Phase) {
    phase = next
    phaseReports = 0
    switch next {
    case .comparing: atLowest = LossSample()
    case .trial: atHighest = LossSample()
    case .asked, .full: break
    }
    options.bitrate = isAtLowest ? lowestBitrate : highestBitrate
  }

  /// Chooses FEC and, with it, the packets' duration. In packets of 10 ms, FEC costs more bits than it is worth, and
  /// headers take twice as much. Shorter packets do not return: over a path without capacity for them, they would cause
  /// the loss that FEC is for. FEC stays on over a full path: without FEC, Opus sends more at the same bit rate.
  private mutating func protect() {
    if loss >= 0.01, options.application != .lowDelay {
      options.forwardErrorCorrection = true
    } else if loss < Self.littleLoss, !isAtLowest, reportCount >= Self.leastReports {
      options.forwardErrorCorrection = false
    }
    if options.forwardErrorCorrection || isAtLowest { options.packetDuration = .milliseconds20 }
    if options.forwardErrorCorrection {
      let percent =
        isAtLowest ? Self.expectedLoss.upperBound : Int((100 * Self.expectedOverReported * loss).rounded(.up))
      options.expectedLossPercent = min(Self.expectedLoss.upperBound, max(Self.expectedLoss.lowerBound, percent))
    }
  }
}
