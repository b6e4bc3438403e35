import AudioFiles

extension FileProcessing.Input {
  /// Opens the file or the descriptor.
  ///
  /// - Parameter isCancelled: called while the reader waits; true ends the wait.
  /// - Returns: reader of the samples.
  /// - Throws: an error of the file.
  func open(isCancelled: @escaping @Sendable () -> Bool) throws(AudioFileError) -> AudioFileReader {
    switch self {
    case .path(let path): try .open(path: path, isCancelled: isCancelled)
    case .descriptor(let descriptor, let name, let raw):
      try .open(descriptor: descriptor, name: name, raw: raw, isCancelled: isCancelled)
    }
  }
}
