package import AudioGraph

/// Source of planes of samples: a file, or a reader that repeats one.
package protocol PlaneReader: AnyObject {
  /// Sample rate and channels.
  var format: AudioFormat { get }
  /// Reads up to `maximumCount` samples of each channel.
  ///
  /// - Returns: Samples per channel; 0 at the end.
  func read(into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int) throws(AudioFileError) -> Int
  /// Ends a wait. Thread: any.
  func cancel()
}

extension AudioFileReader: PlaneReader {}
