package import AudioGraph

/// Where planes of samples come from: a file, or what repeats one.
package protocol PlaneReader: AnyObject {
  /// Rate and channels.
  var format: AudioFormat { get }
  /// Reads up to `maximumCount` samples of each channel. Returns: samples per channel; 0 at the end.
  func read(into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int) throws(AudioFileError) -> Int
  /// Ends a wait. Thread: any.
  func cancel()
}

extension AudioFileReader: PlaneReader {}
