public import OpusCodec

/// Chooses what a sender does from what its receiver reports: FEC, the packets' length, the bitrate and the effort.
///
///     receiver report ─▶ loss, smoothed ─▶ FEC on from 1 %, off below 0.3 %; 20 ms with FEC, else 10 ms
///                                      └▶ above 10 % as many bits as get through, up by 5 % a report below 2 %
///                     lasting loss ─▶ is it lost by chance? then all the bits that were asked for, with FEC
///                                  └▶ is the way too narrow? then FEC off, and the bitrate follows what gets through
///                                      └▶ the greatest effort where that is below 24 kbit/s and what was asked for
///                     loss behind a step up ─▶ no step so far up again for some minutes (`RateMemory`)
///
/// A state machine without a clock. Thread: one at a time.
///
/// Source: draft-ietf-rmcat-gcc-02, section 6, for the bounds of 2 and 10 % and the 5 %.
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
  /// Percent that FEC is sized for. With more the copies take so many bits from the voice that it sounds worse by more
  /// than they mend, at any loss.
  private static let expectedLoss = 5...10
  /// Twice the loss would be as good, the loss alone 0.03 worse in PESQ at 5 %.
  private static let expectedOverReported = 1.5
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

  /// Voices take more bits at times than they are asked for, and a queue that is full has to empty.
  private static let shareOfCapacity = 0.9
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
    way.receive(loss: reported, smoothedLoss: loss, at: rate)
    switch way.stage {
    case .wide:
      share(reported)
      mend(isTooMuch)
    case .asking, .chance:
      setBitrate(Double(highestBitrate))
      mend(isTooMuch)
    case .trying: spare(Self.shareOfCapacity * way.capacity - Self.bitsPerSecond(0, .milliseconds20))
    case .narrow: follow(reported, isTooMuch)
    }
    let isScarce = options.bitrate < min(highestBitrate, Self.lowestBitrateWithFEC)
    options.complexity = isScarce ? Self.highestComplexity : usualComplexity
    return options != before
  }

  private var rate: NarrowWay.Rate {
    let floor = way.stage == .narrow ? lowestBitrate : Self.lowestBitrateWithFEC
    return NarrowWay.Rate(
      bitsPerSecond: Self.bitsPerSecond(options.bitrate, options.packetDuration),
      highest: Self.bitsPerSecond(highestBitrate, .milliseconds20),
      isAtFloor: options.bitrate <= floor + floor / 20 && highestBitrate > floor,
      isAtTop: options.bitrate >= highestBitrate)
  }

  /// Sends what gets through, as long as it may be the rest that fills the way.
  private mutating func share(_ reported: Double) {
    if reported < Self.cleanLoss {
      setBitrate(Double(options.bitrate) * 1.05)
    } else if loss > 0.1 {
      let through = (1 - reported) * rate.bitsPerSecond
      setBitrate(through - Self.bitsPerSecond(0, .milliseconds20))
    }
  }

  /// Lets FEC rebuild what chance takes.
  private mutating func mend(_ isTooMuch: Bool) {
    if loss >= 0.01, options.application != .lowDelay {
      options.forwardErrorCorrection = true
    } else if loss < 0.003, reportCount >= Self.leastReports {
      options.forwardErrorCorrection = false
    }
    choosePacketDuration(isTooMuch)
    if options.forwardErrorCorrection {
      let percent = Int((100 * Self.expectedOverReported * loss).rounded(.up))
      options.expectedLossPercent = min(Self.expectedLoss.upperBound, max(Self.expectedLoss.lowerBound, percent))
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
