/// Detects frame by frame whether somebody speaks.
///
/// A frame is speech if its level exceeds a tracked noise floor, in one or both of two bands, for two frames in a row.
/// The end of a word is bridged for 180 ms, 90 in silence. It costs about a quarter of a microsecond for a frame of 48
/// kHz mono.
///
/// Thread: one at a time. Real-time: `detect` is wait-free.
public struct VoiceActivity: Sendable {
  private var bands: VoiceBands
  private var low = NoiseFloor()
  private var high = NoiseFloor()
  private var hasBegun = false
  private var loudFrames = 0
  private var hangover = 0
  /// Whether the newest frame is speech.
  public private(set) var isVoice = false

  /// Creates a detector for frames of one stream.
  public init(sampleRate: Int, channelCount: Int) {
    bands = VoiceBands(sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Analyzes the next frame, 10 ms of planes that lie `stride` samples apart; all channels count as one voice.
  ///
  /// - Returns: `isVoice`.
  @_noLocks
  public mutating func detect(
    _ planes: UnsafePointer<Float>, stride: Int, channelCount: Int, count: Int
  ) -> Bool {
    decide(bands.measure(planes, stride: stride, channelCount: channelCount, count: count))
  }

  /// Analyzes a frame of zeros without reading it.
  ///
  /// - Returns: `isVoice`.
  @_noLocks
  public mutating func detectSilence() -> Bool {
    bands.reset()
    return decide(VoiceBands.Levels(low: 0, high: 0))
  }

  @_noLocks
  private mutating func decide(_ levels: VoiceBands.Levels) -> Bool {
    let lowLevel = Self.decibels(levels.low)
    let highLevel = Self.decibels(levels.high)
    if !hasBegun {
      hasBegun = true
      low.begin(lowLevel)
      high.begin(highLevel)
    }
    // Noise alone easily exceeds its floor by 3 dB, in 10 ms of a narrow band.
    let excess = Self.positive(low.excess(of: lowLevel) - 3) + Self.positive(high.excess(of: highLevel) - 3)
    // Sound below -65 dBFS is inaudible.
    let isAudible = levels.low + levels.high > 3.2e-7
    let isLoud = isAudible && excess > 5
    loudFrames = isLoud ? loudFrames &+ 1 : 0
    if loudFrames >= 8 {
      hangover = 18
    } else if loudFrames >= 2 {
      hangover = hangover < 14 ? hangover &+ 4 : 18
    } else {
      // Silence ends a word sooner than noise does: in noise, the weak sounds of the word would be lost.
      hangover = isAudible ? hangover &- 1 : hangover &- 2
      if hangover < 0 { hangover = 0 }
    }
    isVoice = hangover > 0
    low.follow(lowLevel, isVoice: isVoice)
    high.follow(highLevel, isVoice: isVoice)
    return isVoice
  }

  @_noLocks @inline(__always)
  private static func positive(_ number: Float) -> Float { number > 0 ? number : 0 }

  /// Returns 10 log10 of a mean square, within 0.01 dB; -100 for everything below.
  ///
  /// The exponent of a float is the integer part of its logarithm, and a polynomial that is exact at 1 and 2
  /// approximates the rest.
  @_noLocks
  static func decibels(_ meanSquare: Float) -> Float {
    guard meanSquare > 1e-10 else { return -100 }
    let bits = meanSquare.bitPattern
    let mantissa = Float(bitPattern: bits & 0x007F_FFFF | 0x3F80_0000)
    let exponent = Float(Int32(truncatingIfNeeded: bits >> 23) &- 127)
    let fraction = (mantissa - 1) * ((0.156_386_2 * mantissa - 0.890_023_1) * mantissa + 2.154_501_5)
    return 3.010_3 * (exponent + fraction)
  }
}
