/// Why a converter cannot be made.
public enum ResamplingError: Error, Hashable, CustomStringConvertible {
  /// One of the rates, in Hz, lies outside what a graph can run at.
  case unsupportedRates(from: Int, to: Int)
  /// The count lies outside what a frame can carry.
  case unsupportedChannelCount(Int)
  /// The library refused; its own words.
  case library(String)

  public var description: String {
    switch self {
    case .unsupportedRates(let from, let to): "cannot convert \(from) Hz to \(to) Hz; use 8000 to 192000 Hz"
    case .unsupportedChannelCount(let count): "cannot convert \(count) channels; use 1 to 8"
    case .library(let message): "the resampling library refused: \(message)"
    }
  }
}
