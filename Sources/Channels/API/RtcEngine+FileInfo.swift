import AudioFiles
import Platform

extension RtcEngine {
  /// Reads the header of an audio file, and calls `didRequestAudioFileInfo` of the delegate. `AudioFileInfo(path:)`
  /// waits for the disk instead.
  ///
  /// - Throws: `.invalidArgument` for an empty path, `.notReady` if the system gives no thread.
  public func getAudioFileInfo(_ path: String) throws(ChannelError) {
    try checkNotDestroyed()
    guard !path.isEmpty else { throw ChannelError(.invalidArgument, "the path of an audio file is empty; name a file") }
    do throws(ThreadError) {
      let thread = try BackgroundThread(named: "file info") { [weak self] in
        let info = try? AudioFileInfo(path: path)
        self?.post { delegate, engine in
          delegate.rtcEngine(engine, didRequestAudioFileInfo: info, path: path, error: info == nil ? 1 : 0)
        }
      }
      thread.detach()
    } catch {
      throw ChannelError(.notReady, "\(error)")
    }
  }
}
