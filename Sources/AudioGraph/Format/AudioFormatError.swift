/// Reason why an `AudioFormat` cannot be made: the value that is out of range.
public enum AudioFormatError: Error, Hashable, CustomStringConvertible {
  /// The rate, in Hz, lies outside `AudioFormat.sampleRates`.
  case sampleRate(Int)
  /// The channel count lies outside `AudioFormat.channelCounts`.
  case channelCount(Int)

  public var description: String {
    switch self {
    case .sampleRate(let rate):
      "\(rate) Hz is not a sample rate that a graph can run at; use 8000 to 192000 Hz"
    case .channelCount(let count):
      "\(count) channels are not possible in a frame; use 1 to 8"
    }
  }
}
