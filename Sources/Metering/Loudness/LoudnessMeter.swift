public import AudioGraph
import CEBUR128
import Glibc

/// Measures loudness as broadcasters do, with libebur128.
///
/// Shape: interleaved Float32, any channel count; mono counts as one channel, as it does elsewhere. What stands at the
/// sides and behind counts 1.41 times, as ffmpeg has it; low frequencies do not count, but for the true peak.
/// Thread: one at a time, never the audio thread: the library may allocate.
/// Source: EBU R 128, EBU Tech 3341 and 3342, ITU-R BS.1770.
public final class LoudnessMeter {
  private let state: UnsafeMutablePointer<ebur128_state>
  private let channelCount: Int
  private let partLength: Int
  private var rangeMeter = LoudnessRange()
  /// Samples per channel of the 100 ms that are being filled.
  private var partFill = 0

  /// What is quieter, in LUFS or dBTP, is silence, of which there is no loudness.
  private static let floor = -120.0

  /// A meter that has heard nothing.
  ///
  /// - Parameter speakers: Those of up to eight channels, bit by bit as WAVEFORMATEXTENSIBLE has them. 0, and what is
  ///   not as many as the channels, or overhead: the usual ones.
  ///
  /// Throws: `.general` when the library refuses the rate or gets no memory.
  public init(sampleRate: Int, channelCount: Int, speakers: UInt32 = 0) throws(EngineError) {
    guard let state = ebur128_init(UInt32(channelCount), UInt(sampleRate), ebur128_wanted) else {
      throw EngineError(.general, "loudness cannot be measured at \(sampleRate) Hz with \(channelCount) channels")
    }
    self.state = state
    self.channelCount = channelCount
    partLength = sampleRate / 10
    // Of more the library knows left, right, middle and the two behind.
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

  /// Takes so many samples of each channel.
  ///
  /// Throws: `.general` when the library gets no memory.
  public func add(_ samples: UnsafePointer<Float>, samplesPerChannel: Int) throws(EngineError) {
    var taken = 0
    while taken < samplesPerChannel {
      let count = min(samplesPerChannel - taken, partLength - partFill)
      guard ebur128_add_frames_float(state, samples + taken * channelCount, count) == Int32(EBUR128_SUCCESS.rawValue)
      else { throw EngineError(.general, "loudness cannot be measured: there is no memory") }
      taken += count
      partFill += count
      if partFill == partLength {
        rangeMeter.add(value { ebur128_loudness_window($0, 100, $1) } ?? -.infinity)
        partFill = 0
      }
    }
  }

  /// Loudness of the last 400 ms, in LUFS; before the sound lies silence. Nil for silence.
  public var momentary: Double? { value(ebur128_loudness_momentary) }
  /// Loudness of the last 3 s, in LUFS; before the sound lies silence. Nil for silence.
  public var shortTerm: Double? { value(ebur128_loudness_shortterm) }
  /// Loudness of everything, gated, in LUFS; nil where no 400 ms of sound are above the gate of -70 LUFS.
  public var integrated: Double? { value(ebur128_loudness_global) }

  /// How much the loudness varies, in LU; nil where no 3 s of sound are above -70 LUFS.
  public var range: Double? { rangeMeter.value }

  /// The largest true peak of all channels, in dBTP; nil for silence.
  public var truePeak: Double? {
    var largest = 0.0
    for channel in 0..<UInt32(channelCount) {
      var peak = 0.0
      if ebur128_true_peak(state, channel, &peak) == 0 { largest = max(largest, peak) }
    }
    return Self.audible(20 * log10(largest))
  }

  /// What the library calls the place, or one of the same weight.
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
