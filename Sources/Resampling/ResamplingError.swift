/// Why a converter cannot be made.
public enum ResamplingError: Error, Hashable, CustomStringConvertible {
  /// The pair of rates, in Hz, is not one that the library converts.
  case unsupportedRates(from: Int, to: Int)
  /// The library refused; its own words.
  case library(String)

  public var description: String {
    switch self {
    case .unsupportedRates(let from, let to): "cannot convert \(from) Hz to \(to) Hz"
    case .library(let message): "the resampling library refused: \(message)"
    }
  }
}
