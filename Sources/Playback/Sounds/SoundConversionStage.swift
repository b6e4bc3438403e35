import AudioFiles
import AudioGraph

/// A stage between a sound and a player's ring, at the graph's rate.
///
/// Thread: one at a time, never the audio thread.
protocol SoundConversionStage: AnyObject {
  /// Prepares the next `readSome`, so that the stages below have advanced as far as that call requires.
  func prepare() throws(AudioFileError)

  /// Reads the samples of one step, up to `count` per channel.
  ///
  /// - Parameters:
  ///   - base: start of the first channel's plane.
  ///   - stride: distance between two planes, in samples.
  ///   - count: largest number of samples per channel.
  /// - Returns: samples per channel; 0 if there are none.
  /// - Throws: an error of the file.
  func readSome(into base: UnsafeMutablePointer<Float>, stride: Int, count: Int) throws(AudioFileError) -> Int

  /// Returns the sample counts of the sound, stage by stage. The last call.
  func edges(of name: String) -> [LedgerEdge]
}

extension ConvertingReader: SoundConversionStage {
  func edges(of name: String) -> [LedgerEdge] { [edge(named: "\(name): read")] }
}
