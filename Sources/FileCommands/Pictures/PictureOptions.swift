package import CommandLineKit
import Pictures

/// `--plot` and the options of the picture.
package struct PictureOptions: Hashable, Sendable {
  /// Path as given; with several inputs, each picture gets its own path.
  package let path: String
  let kind: PictureKind
  let theme: Theme
  let size: PictureSize

  /// Returns the options of pictures.
  ///
  /// - Parameters:
  ///   - group: heading of the options in help.
  ///   - shown: content of the picture, in words.
  package static func declarations(
    group: String,
    shown: String = "waveform, level and pitch on one time axis; with several inputs, one per input as FILE.IN.svg"
  ) -> [OptionDeclaration] {
    [
      OptionDeclaration(
        "plot", .file, placeholder: "FILE.svg|FILE.png", group: group,
        help: "Draw \(shown)"),
      OptionDeclaration(
        "plot-theme", .choice(Theme.allCases.map(\.rawValue)), group: group, default: "auto",
        help: "Colors of the picture; auto follows the reader's screen in an SVG and is light in a PNG"),
      OptionDeclaration(
        "plot-size", .text, placeholder: "WIDTHxHEIGHT", group: group, default: "1200 wide, height as needed",
        help: "Size of the picture in pixels"),
    ]
  }

  /// Reads the options of a command line; nil without a picture.
  ///
  /// - Throws: a usage failure.
  package init?(_ parsed: ParsedArguments) throws(CommandFailure) {
    guard let path = parsed.text("plot") else {
      for name in ["plot-theme", "plot-size"] where parsed.has(name) {
        throw .usage("--\(name) has no picture to apply to; add --plot FILE.svg")
      }
      return nil
    }
    guard let kind = PictureKind(path: path) else {
      throw .usage(
        path == "-"
          ? "--plot writes a file, not stdout; name one that ends in .svg or .png"
          : "the format of the picture is not clear from the name '\(path)'; let it end in .svg or .png")
    }
    self.path = path
    self.kind = kind
    theme = parsed.text("plot-theme").flatMap(Theme.init(rawValue:)) ?? .auto
    size = if let text = parsed.text("plot-size") { try PictureSize(option: text) } else { .standard }
  }

  /// Checks before any work that this machine can draw the picture.
  ///
  /// - Throws: exit code 69.
  package func checkMachine() throws(CommandFailure) { if kind == .png { try PictureConverter.check() } }
}
