/// Chooses what a sender does from what its receiver reports: FEC, the packets' length, the bitrate and the effort.
///
///     receiver report ─▶ loss, smoothed ─▶ FEC on from 1 %, off below 0.3 %; 20 ms with FEC, else 10 ms
///                                      └▶ bitrate down in proportion above 10 %, up by 5 % a report below 2 %
///                     lasting loss ─▶ is the way too narrow? then FEC off, and the bitrate follows what gets through
///                                      └▶ the greatest effort where that is below 24 kbit/s and what was asked for
///                     loss behind a step up ─▶ no step so far up again for some minutes (`RateMemory`)
///
/// A state machine without a clock. Thread: one at a time.
///
/// Source: the rule for the bitrate is the loss-based half of draft-ietf-rmcat-gcc-02, section 6.
public struct SenderControl: Sendable {
  /// What is to be used now.
  public private(set) var options: OpusOptions
  /// The loss that reports tell of, smoothed, 0...1.
  public private(set) var loss = 0.0
  private let highestBitrate: Int
  private let usualComplexity: Int
  private let lowestBitrate: Int

  /// Below this FEC finds no bits of its own in Opus.
  private static let lowestBitrateWithFEC = 24_000
  private static let lowestBitrate = 12_000
  /// Where reports leave few bits, each is worth more than the time that it takes.
  private static let highestComplexity = 10
  /// Percent that FEC is sized for at most: for more Opus rebuilds no better, but takes more bits, which a full way has
  /// not.
  private static let highestExpectedLoss = 15
  /// Loss is believed within a few reports, its end more slowly, so that FEC does not come and go with chance.
  private static let risingSmoothing = 0.3
  private static let fallingSmoothing = 0.2
  /// Before so many reports have come, nobody knows that there is no loss.
  private static let leastReports = 5
  private var reportCount = 0
  private var way = NarrowWay()
  private var memory = RateMemory()
  /// Reports of a narrow way without loss since its bitrate was changed.
  private var cleanReports = 0

  /// A narrow way is asked for more but seldom, as each time costs loss that nothing rebuilds.
  private static let cleanReportsForMore = 10
  private static let cleanLoss = 0.02

  /// Begins with `options`, whose bitrate is never exceeded; their effort is that of 24 kbit/s and more.
  public init(_ options: OpusOptions) {
    self.options = options
    highestBitrate = options.bitrate
    usualComplexity = options.complexity
    lowestBitrate = min(options.bitrate, Self.lowestBitrate)
  }

  /// Takes in what a report says of the packets since the one before. Returns: true where `options` have changed.
  public mutating func receive(fractionLost: UInt8) -> Bool {
    let before = options
    let reported = Double(fractionLost) / 256
    loss += (reported > loss ? Self.risingSmoothing : Self.fallingSmoothing) * (reported - loss)
    reportCount += 1
    let isTooMuch = memory.receive(loss: reported)
    let floor = way.stage == .narrow ? lowestBitrate : Self.lowestBitrateWithFEC
    way.receive(
      loss: reported, smoothedLoss: loss, isAtFloor: options.bitrate <= floor + floor / 20 && highestBitrate > floor,
      isAtTop: options.bitrate >= highestBitrate)
    switch way.stage {
    case .wide: control(reported, isTooMuch)
    case .trying: spare(Double(lowestBitrate))
    case .narrow: follow(reported, isTooMuch)
    }
    let isScarce = options.bitrate < min(highestBitrate, Self.lowestBitrateWithFEC)
    options.complexity = isScarce ? Self.highestComplexity : usualComplexity
    return options != before
  }

  /// On a way that loses by chance.
  private mutating func control(_ reported: Double, _ isTooMuch: Bool) {
    if reported > 0.1 {
      setBitrate(Double(options.bitrate) * (1 - 0.5 * reported))
    } else if reported < Self.cleanLoss {
      setBitrate(Double(options.bitrate) * 1.05)
    }
    if loss >= 0.01, options.application != .lowDelay {
      options.forwardErrorCorrection = true
    } else if loss < 0.003, reportCount >= Self.leastReports {
      options.forwardErrorCorrection = false
    }
    choosePacketDuration(isTooMuch)
    if options.forwardErrorCorrection {
      options.expectedLossPercent = min(Self.highestExpectedLoss, max(5, Int((loss * 100).rounded(.up))))
      if options.bitrate < Self.lowestBitrateWithFEC, highestBitrate >= Self.lowestBitrateWithFEC {
        options.bitrate = Self.lowestBitrateWithFEC
      }
    }
  }

  /// With packets of 10 ms the copies of FEC cost more bits than they are worth; and headers take twice as much, which
  /// a way may not have.
  private mutating func choosePacketDuration(_ isTooMuch: Bool) {
    if options.forwardErrorCorrection || isTooMuch {
      if options.packetDuration == .milliseconds10 { memory.stepDown() }
      options.packetDuration = .milliseconds20
    } else if options.packetDuration == .milliseconds20 {
      let rate = Self.bitsPerSecond(options.bitrate, .milliseconds10)
      guard memory.allows(rate) else { return }
      memory.stepUp(to: rate)
      options.packetDuration = .milliseconds10
    }
  }

  /// On a way that takes only so much.
  private mutating func follow(_ reported: Double, _ isTooMuch: Bool) {
    cleanReports = reported < Self.cleanLoss ? cleanReports + 1 : 0
    if reported >= Self.cleanLoss {
      memory.stepDown()
      spare(Double(options.bitrate) * min(0.9, 1 - 0.5 * reported))
    } else if isTooMuch {
      memory.stepDown()
      spare(Double(options.bitrate) / 1.05)
    } else if cleanReports >= Self.cleanReportsForMore {
      let rate = Self.bitsPerSecond(options.bitrate + options.bitrate / 20, .milliseconds20)
      guard memory.allows(rate) else { return }
      memory.stepUp(to: rate)
      cleanReports = 0
      spare(Double(options.bitrate) * 1.05)
    }
  }

  /// As few bits as there can be for the sound: longer packets, and no copies in them.
  private mutating func spare(_ bitrate: Double) {
    options.forwardErrorCorrection = false
    options.packetDuration = .milliseconds20
    setBitrate(bitrate)
  }

  /// What that is on the way: a packet has 40 bytes of headers (IPv4, UDP, RTP).
  private static func bitsPerSecond(_ bitrate: Int, _ duration: OpusOptions.PacketDuration) -> Double {
    Double(bitrate) + 320_000 / Double(duration.rawValue)
  }

  private mutating func setBitrate(_ bitrate: Double) {
    options.bitrate = min(highestBitrate, max(lowestBitrate, Int(bitrate.rounded())))
  }
}
