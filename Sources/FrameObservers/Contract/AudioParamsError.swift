/// Reason why `AudioParams` are not possible: the value, and the possible ones.
public enum AudioParamsError: Error, Hashable, CustomStringConvertible {
  /// The rate is not one of `AudioParams.sampleRates`.
  case sampleRate(Int)
  /// The channel count is not 1 or 2.
  case channelCount(Int)
  /// The samples do not divide into channels.
  case notWholeFrames(samplesPerCall: Int, channelCount: Int)
  /// The interval lies under 10 ms.
  case intervalTooShort(samplesPerCall: Int, minimum: Int)
  /// The interval lies over 10 s.
  case intervalTooLong(samplesPerCall: Int, maximum: Int)

  public var description: String {
    switch self {
    case .sampleRate(let rate):
      "observers cannot have \(rate) Hz; use 8000, 16000, 24000, 32000, 44100 or 48000 Hz"
    case .channelCount(let count): "observers cannot have \(count) channels; use 1 or 2"
    case .notWholeFrames(let samples, let channels):
      "\(samples) samples per call do not divide into \(channels) channels; samplesPerCall counts the samples of all "
        + "channels"
    case .intervalTooShort(let samples, let minimum):
      "\(samples) samples per call are less than 10 ms; use at least \(minimum)"
    case .intervalTooLong(let samples, let maximum):
      "\(samples) samples per call are more than 10 s; use at most \(maximum)"
    }
  }
}
