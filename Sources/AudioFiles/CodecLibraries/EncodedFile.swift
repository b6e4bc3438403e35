/// A sound file that a decoding library reads, over a descriptor that the caller closes.
///
/// Thread: one at a time.
protocol EncodedFile: AnyObject {
  /// The errno of the first read that failed; 0: none did.
  var systemError: Int32 { get }

  /// Whether the last read came to a damaged part: later samples have an uncertain position.
  var hasFailed: Bool { get }

  /// Samples per channel that are decoded and dropped before a target of `seek`: the decoder's state at the target is
  /// then that of a whole run. 0 if the library sees to it.
  var leadCount: Int { get }

  /// Reads interleaved samples.
  ///
  /// - Returns: Samples per channel; 0 at the end. Fewer than `count` may come before it.
  func read(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Int

  /// Goes to a sample.
  ///
  /// - Returns: Whether it worked.
  func seek(to position: Int) -> Bool

  /// Closes the file. Call it once, and nothing after it.
  func close()
}

/// Description of the samples of an encoded file.
struct EncodedContents {
  var sampleRate: Int
  var channelCount: Int
  /// Samples per channel; nil if the library does not know.
  var samplesPerChannel: Int?
  /// Format that holds every sample, as far as there is one.
  var sampleFormat: SampleFormat
  /// Loudspeaker of each channel, a bit of WAV's mask; nil if the library does not know.
  var speakers: [UInt32]?
}
