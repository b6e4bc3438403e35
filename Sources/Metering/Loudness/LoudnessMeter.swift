public import AudioGraph
import CEBUR128
import Glibc

/// Measures loudness by the methods of broadcasters, with libebur128.
///
/// Shape: interleaved Float32, any channel count; mono counts as one channel, as it does elsewhere. Channels at the
/// sides and behind count 1.41 times, as in ffmpeg; low-frequency channels count for the true peak only.
/// Thread: one at a time, never the audio thread: the library may allocate.
/// Source: EBU R 128, EBU Tech 3341 and 3342, ITU-R BS.1770.
public final class LoudnessMeter {
  private let state: UnsafeMutablePointer<ebur128_state>
  private let channelCount: Int
  private let partLength: Int
  private var rangeMeter = LoudnessRange()
  private var gate = GatedLoudness()
  /// Samples per channel in the current part of 100 ms.
  private var partFill = 0

  /// Level in LUFS or dBTP; quieter sound is silence, which has no loudness.
  private static let floor = -120.0

  /// Creates a meter that has heard nothing.
  ///
  /// - Parameters:
  ///   - sampleRate: Samples a second.
  ///   - channelCount: Number of channels.
  ///   - speakers: Speakers of up to eight channels, bit by bit as in WAVEFORMATEXTENSIBLE. The usual ones apply for
  ///     0, for a mask with overhead speakers, and for a number of speakers other than `channelCount`.
  ///   - measuresTruePeak: Whether `truePeak` is measured, too; without it, the meter takes a third of the time.
  /// - Throws: `.general` if the library refuses the rate or gets no memory.
  public init(
    sampleRate: Int, channelCount: Int, speakers: UInt32 = 0, measuresTruePeak: Bool = true
  ) throws(EngineError) {
    let mode = measuresTruePeak ? ebur128_loudness_and_peak : ebur128_loudness
    guard let state = ebur128_init(UInt32(channelCount), UInt(sampleRate), mode) else {
      throw EngineError(.general, "loudness cannot be measured at \(sampleRate) Hz with \(channelCount) channels")
    }
    self.state = state
    self.channelCount = channelCount
    partLength = sampleRate / 10
    // For more channels, the library knows left, right, center and the two rear ones.
    guard channelCount <= 8 else { return }
    for channel in 0..<channelCount {
      let place = Downmix.place(of: channel, in: channelCount, speakers: speakers)
      ebur128_set_channel(state, UInt32(channel), Self.position(of: place))
    }
  }

  deinit {
    var state: UnsafeMutablePointer<ebur128_state>? = state
    ebur128_destroy(&state)
  }

  /// Adds this many samples of each channel.
  ///
  /// - Throws: `.general` if the library gets no memory.
  public func add(_ samples: UnsafePointer<Float>, samplesPerChannel: Int) throws(EngineError) {
    var taken = 0
    while taken < samplesPerChannel {
      let count = min(samplesPerChannel - taken, partLength - partFill)
      guard ebur128_add_frames_float(state, samples + taken * channelCount, count) == Int32(EBUR128_SUCCESS.rawValue)
      else { throw EngineError(.general, "loudness cannot be measured: there is not enough memory") }
      taken += count
      partFill += count
      if partFill == partLength {
        let loudness = value { ebur128_loudness_window($0, 100, $1) } ?? -.infinity
        rangeMeter.add(loudness)
        gate.add(loudness)
        partFill = 0
      }
    }
  }

  /// Loudness of the last 400 ms, in LUFS; silence precedes the sound. Nil for silence.
  public var momentary: Double? { value(ebur128_loudness_momentary) }
  /// Loudness of the last 3 s, in LUFS; silence precedes the sound. Nil for silence.
  public var shortTerm: Double? { value(ebur128_loudness_shortterm) }
  /// Gated loudness of everything, in LUFS; nil if no 400 ms of sound are above the gate of -70 LUFS.
  public var integrated: Double? { gate.value }

  /// Loudness range, in LU; nil if no 3 s of sound are above -70 LUFS.
  public var range: Double? { rangeMeter.value }

  /// Largest true peak of all channels, in dBTP; nil for silence, and if it is not measured.
  public var truePeak: Double? {
    var largest = 0.0
    for channel in 0..<UInt32(channelCount) {
      var peak = 0.0
      if ebur128_true_peak(state, channel, &peak) == 0 { largest = max(largest, peak) }
    }
    return Self.audible(20 * log10(largest))
  }

  /// Returns the library's name for the place, or for a place of the same weight.
  private static func position(of place: Downmix.Place) -> Int32 {
    let position =
      switch place {
      case .left: EBUR128_LEFT
      case .right: EBUR128_RIGHT
      case .middle: EBUR128_CENTER
      case .lowFrequencies: EBUR128_UNUSED
      case .leftBehind, .behind: EBUR128_LEFT_SURROUND
      case .rightBehind: EBUR128_RIGHT_SURROUND
      }
    return Int32(position.rawValue)
  }

  private func value(
    _ read: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>?) -> Int32
  ) -> Double? {
    var result = 0.0
    return read(state, &result) == 0 ? Self.audible(result) : nil
  }

  private static func audible(_ level: Double) -> Double? { level > floor ? level : nil }
}
