import AudioFiles

/// Kinds of picture that can be written.
enum PictureKind: String, CaseIterable, Hashable, Sendable {
  case svg
  case png

  /// Reads the kind from a path's extension, in any case.
  init?(path: String) {
    let name = fileName(of: path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    self.init(rawValue: name[name.index(after: dot)...].lowercased())
  }
}
