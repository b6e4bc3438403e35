package import CommandLineKit
package import Pictures
import SoundOptions

/// A picture and the file for it.
package struct PictureFile: Sendable {
  private let options: PictureOptions
  private let file: ResultFile

  /// Creates the picture of one job, at the job's own path.
  package init(_ options: PictureOptions, path: String, mayReplace: Bool) {
    self.options = options
    file = ResultFile(path: path, mayReplace: mayReplace)
  }

  /// Checks before a long job that the file can be written.
  ///
  /// - Throws: as `ResultFile.check`.
  package func check(newFolder: String? = nil) throws(CommandFailure) { try file.check(newFolder: newFolder) }

  /// Draws the picture, and writes the file.
  package func write(_ picture: some Picture) throws(CommandFailure) {
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
