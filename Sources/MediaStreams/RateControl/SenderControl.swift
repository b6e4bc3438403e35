public import OpusCodec

/// Chooses FEC, the packets' length and the bit rate by what the receiver reports.
///
///     loss, smoothed ─▶ FEC on from 1 %, off below 0.3 %; packets of 20 ms from the first FEC on
///     loss of 2 % and more while the round trip has grown by 100 ms ─▶ the path is full: the lowest bit rate, with FEC
///     loss above 10 % while the round trip is unknown, above 50 % always ─▶ the bit rate falls by half the loss
///     a report of less than 2 % ─▶ the bit rate rises by 5 %; after a full path, 120 such reports later
///
/// The lowest bit rate is 24 kbit/s, the least with room for FEC. Random loss leaves the round trip as it is: fewer
/// bits would not lessen that loss, and would cost quality. FEC stays on over a path that was full: without FEC, Opus
/// sends more at the same bit rate.
///
/// A state machine without a clock: reports come about once a second. Thread: one at a time.
///
/// Source: draft-ietf-rmcat-gcc-02, section 6, for 2 %, 10 %, 5 % and half the loss.
public struct SenderControl: Sendable {
  /// What is to be used now.
  public private(set) var options: OpusOptions
  /// The reported loss, smoothed, 0...1.
  public private(set) var loss = 0.0
  private let highestBitrate: Int
  private let lowestBitrate: Int
  private var reportCount = 0
  /// True from when the path is found full until the highest bit rate has passed for long without loss.
  private var isNarrow = false
  /// Reports of little loss since the path was full, or since the highest bit rate was reached.
  private var cleanReports = 0
  /// Reports of little loss before more is sent over a path that was full.
  private var patience = Self.firstPatience

  /// Opus has no bits for FEC below this.
  private static let lowestBitrate = 24_000
  /// In percent. FEC for more loss takes so many bits from the voice that it sounds worse by more than FEC recovers.
  private static let expectedLoss = 5...10
  /// Twice the loss would be as good, the loss alone 0.03 worse in PESQ at 5 %.
  private static let expectedOverReported = 1.5
  /// Loss is believed within a few reports, its end more slowly, so that FEC does not come and go with chance.
  private static let risingSmoothing = 0.3
  private static let fallingSmoothing = 0.2
  /// Before so many reports, a loss of 0 is not yet believed.
  private static let leastReports = 5
  private static let littleLoss = 0.02
  private static let muchLoss = 0.1
  /// Random loss is less, an outage is more.
  private static let mostLoss = 0.5
  /// A full queue holds packets for longer, jitter smoothed over some reports does not.
  private static let fullQueueNanoseconds = 100_000_000
  private static let firstPatience = 120
  private static let longestPatience = 960

  /// Begins with `options`, whose bit rate is never exceeded.
  public init(_ options: OpusOptions) {
    self.options = options
    highestBitrate = options.bitrate
    lowestBitrate = min(options.bitrate, Self.lowestBitrate)
  }

  /// Takes in what a report says of the packets since the one before.
  ///
  /// - Parameter roundTripGrowthNanoseconds: By how much the round trip exceeds the shortest; nil = unknown.
  /// - Returns: true where `options` have changed.
  public mutating func receive(fractionLost: UInt8, roundTripGrowthNanoseconds growth: Int? = nil) -> Bool {
    let before = options
    let reported = Double(fractionLost) / 256
    loss += (reported > loss ? Self.risingSmoothing : Self.fallingSmoothing) * (reported - loss)
    reportCount += 1
    if loss >= Self.littleLoss || isNarrow, let growth, growth >= Self.fullQueueNanoseconds {
      yieldToFullPath()
    } else if reported < Self.littleLoss {
      raise()
    } else if loss > (growth == nil ? Self.muchLoss : Self.mostLoss) {
      setBitrate(Double(options.bitrate) * (1 - reported / 2))
    }
    protect()
    return options != before
  }

  private mutating func yieldToFullPath() {
    if isNarrow, options.bitrate > lowestBitrate { patience = min(Self.longestPatience, 2 * patience) }
    isNarrow = true
    cleanReports = 0
    setBitrate(0)
  }

  private mutating func raise() {
    cleanReports += 1
    if isNarrow {
      guard cleanReports > patience else { return }
      if options.bitrate == highestBitrate { isNarrow = false }
    }
    guard options.bitrate < highestBitrate else { return }
    setBitrate(Double(options.bitrate) * 1.05)
    if options.bitrate == highestBitrate { cleanReports = 0 }
  }

  /// Chooses FEC and, with it, the packets' length: in packets of 10 ms, FEC costs more bits than it is worth, and
  /// headers take twice as much. Shorter packets do not return: over a path that has no room for them, they would cause
  /// the loss that FEC is for.
  private mutating func protect() {
    if loss >= 0.01, options.application != .lowDelay {
      options.forwardErrorCorrection = true
    } else if loss < 0.003, !isNarrow, reportCount >= Self.leastReports {
      options.forwardErrorCorrection = false
    }
    if options.forwardErrorCorrection || isNarrow { options.packetDuration = .milliseconds20 }
    if options.forwardErrorCorrection {
      let percent = Int((100 * Self.expectedOverReported * loss).rounded(.up))
      options.expectedLossPercent = min(Self.expectedLoss.upperBound, max(Self.expectedLoss.lowerBound, percent))
    }
  }

  private mutating func setBitrate(_ bitrate: Double) {
    options.bitrate = min(highestBitrate, max(lowestBitrate, Int(bitrate.rounded())))
  }
}
