import AudioFiles
import AudioGraph

/// A step of a sound on its way into a player's ring, at the graph's rate.
///
/// Thread: one at a time, never the audio thread.
protocol SoundConversionStage: AnyObject {
  /// Does what the next `readSome` needs, so that what lies beneath is as far as that will take it.
  func prepare() throws(AudioFileError)

  /// Gives what comes in one step, up to `count` samples of each channel. Returns: 0 where there is nothing.
  func readSome(into base: UnsafeMutablePointer<Float>, stride: Int, count: Int) throws(AudioFileError) -> Int

  /// Where the sound's samples have gone, stretch by stretch. The last call.
  func edges(of name: String) -> [LedgerEdge]
}

extension ConvertingReader: SoundConversionStage {
  func edges(of name: String) -> [LedgerEdge] { [edge(named: "\(name): read")] }
}
