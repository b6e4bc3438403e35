import AudioFiles

extension FileProcessing.Input {
  /// Opens the file or the descriptor. Throws: what is wrong with it.
  func open(isCancelled: @escaping @Sendable () -> Bool) throws(AudioFileError) -> AudioFileReader {
    switch self {
    case .path(let path): try .open(path: path, isCancelled: isCancelled)
    case .descriptor(let descriptor, let name, let raw):
      try .open(descriptor: descriptor, name: name, raw: raw, isCancelled: isCancelled)
    }
  }
}
