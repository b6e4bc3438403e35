import AudioFiles
import AudioGraph
import Playback

extension AudioPipeline {
  /// Ends the prefetching thread: sounds that play end with the samples in their rings. After the last tick.
  package func stopPrefetching() {
    let thread = lock.withLock { _ in sounds.takePrefetching() }
    // Not under the lock: it waits for the thread.
    withExtendedLifetime(thread) {}
  }

  /// Opens a file that will be played.
  ///
  /// - Throws: `.invalidArgument`.
  func openSound(_ path: String, _ what: String) throws(EngineError) -> AudioFileReader {
    do {
      let reader = try AudioFileReader.open(path: path)
      guard reader.isSeekable else { throw AudioFileError(.pipeCannotGoBack, path: path) }
      return reader
    } catch {
      throw EngineError(.invalidArgument, "\(what): \(error)", cause: error)
    }
  }
}
