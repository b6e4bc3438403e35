public import Platform

/// Options of an Opus encoder.
public struct OpusOptions: Hashable, Sendable, BitwiseCopyable {
  /// Purpose that the encoder is tuned for.
  public enum Application: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Intelligible speech at low bit rates. A high-pass filter removes sound below a voice, which also shifts the
    /// phases of its lowest harmonics: sound is then no longer aligned with its original to the sample.
    case voip
    /// Faithful music and speech.
    case audio
    /// The least delay: 2.5 ms instead of 6.5, without the modes for speech and without FEC.
    case lowDelay = "lowdelay"
  }

  /// Duration of the sound in a packet.
  public enum PacketDuration: Int, Sendable, CaseIterable, BitwiseCopyable {
    /// One frame.
    case milliseconds10 = 10
    /// Two frames, which FEC needs to be worth its bits.
    case milliseconds20 = 20

    /// Frames of 10 ms in a packet.
    public var frameCount: Int {
      @_noLocks get {
        switch self {
        case .milliseconds10: 1
        case .milliseconds20: 2
        }
      }
    }
  }

  /// Samples per second at both ends of the codec, in Hz.
  public static let sampleRate = 48_000
  /// Bit rates that Opus accepts, in bit/s.
  public static let bitrates = 6_000...510_000
  /// Levels of complexity that Opus accepts.
  public static let complexities = 0...10

  /// Bits per second, all channels together.
  public var bitrate: Int
  /// Complexity, 0...10: more is slower and sounds better.
  public var complexity: Int
  /// Duration of the sound in a packet.
  public var packetDuration: PacketDuration
  /// Whether a packet carries a coarse copy of the one before it.
  public var forwardErrorCorrection: Bool
  /// Packet loss that FEC is sized for, 0...100 %; with 0 the encoder leaves FEC out.
  public var expectedLossPercent: Int
  /// Whether the sender falls silent if there is nothing to hear (DTX): a packet every 400 ms is then enough.
  public var discontinuousTransmission: Bool
  /// Purpose that the encoder is tuned for.
  public var application: Application

  /// Creates options that suit speech and keep it aligned with its original.
  public init(
    bitrate: Int = 32_000, complexity: Int = 9, packetDuration: PacketDuration = .milliseconds20,
    forwardErrorCorrection: Bool = false, expectedLossPercent: Int = 10, discontinuousTransmission: Bool = false,
    application: Application = .audio
  ) {
    self.bitrate = bitrate
    self.complexity = complexity
    self.packetDuration = packetDuration
    self.forwardErrorCorrection = forwardErrorCorrection
    self.expectedLossPercent = expectedLossPercent
    self.discontinuousTransmission = discontinuousTransmission
    self.application = application
  }

  /// Checks the options.
  ///
  /// - Throws: `EngineError.Code.invalidArgument` with the value that is out of range.
  public func validate() throws(EngineError) {
    guard Self.bitrates.contains(bitrate) else {
      throw EngineError(.invalidArgument, "Opus has no bitrate of \(bitrate) bit/s; use 6000 to 510000")
    }
    guard Self.complexities.contains(complexity) else {
      throw EngineError(.invalidArgument, "Opus has no complexity \(complexity); use 0 to 10")
    }
    guard (0...100).contains(expectedLossPercent) else {
      throw EngineError(.invalidArgument, "\(expectedLossPercent) % is not a packet loss; use 0 to 100")
    }
    guard !forwardErrorCorrection || application != .lowDelay else {
      throw EngineError(.invalidArgument, "Opus has no FEC in its low-delay mode; use voip or audio, or no FEC")
    }
  }
}
