import CommandLineKit
import Pictures

/// A picture on its way to a file.
struct PictureFile: Sendable {
  private let options: PictureOptions
  private let file: ResultFile

  /// A picture of one job, at the path that is its own.
  init(_ options: PictureOptions, path: String, mayReplace: Bool) {
    self.options = options
    file = ResultFile(path: path, mayReplace: mayReplace)
  }

  /// Finds out before a long job whether it can be written. Throws: as `ResultFile.check`.
  func check(newFolder: String? = nil) throws(CommandFailure) { try file.check(newFolder: newFolder) }

  /// Draws it.
  func write(_ picture: some Picture) throws(CommandFailure) {
    let figure = picture.figure(options.size)
    switch options.kind {
    case .svg: try file.write(figure.svg(options.theme))
    case .png:
      // Paper and most viewers of PNGs are light.
      let svg = figure.svg(options.theme == .dark ? .dark : .light)
      try file.write(PictureConverter.png(of: svg))
    }
  }
}
