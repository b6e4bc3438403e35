/// Reason why a converter cannot be made.
public enum ResamplingError: Error, Hashable, CustomStringConvertible {
  /// One of the rates, in Hz, lies outside the range of a graph.
  case unsupportedRates(from: Int, to: Int)
  /// The channel count lies outside the range of a frame.
  case unsupportedChannelCount(Int)
  /// The library refused; the value is its own message.
  case library(String)

  public var description: String {
    switch self {
    case .unsupportedRates(let from, let to): "cannot convert \(from) Hz to \(to) Hz; use 8000 to 192000 Hz"
    case .unsupportedChannelCount(let count): "cannot convert \(count) channels; use 1 to 8"
    case .library(let message): "the resampling library refused: \(message)"
    }
  }
}
