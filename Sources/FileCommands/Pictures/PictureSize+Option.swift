import CommandLineKit
import Pictures

extension PictureSize {
  /// Reads a text such as `1600x900`.
  ///
  /// - Throws: a usage failure.
  init(option text: String) throws(CommandFailure) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], Self.range.contains(width),
      Self.range.contains(height)
    else {
      throw .usage(
        "option '--plot-size' cannot take '\(text)'; it needs width and height in px, each from "
          + "\(Self.range.lowerBound) to \(Self.range.upperBound), such as 1600x900")
    }
    self.init(width: width, height: height)
  }
}
