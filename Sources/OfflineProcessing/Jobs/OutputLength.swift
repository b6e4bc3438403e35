import AudioFiles

/// Length of an output with a rate other than the graph's.
///
/// The output is as long as the voice that ends last would be after a single conversion of its file.
///
/// Thread: any.
struct OutputLength: Sendable {
  /// A file, with its start position.
  struct Voice: Sendable {
    let source: FileSource
    /// The file's own rate, in Hz.
    let sampleRate: Int
    /// Start position, in samples of the graph.
    let startPosition: Int
  }

  let voices: [Voice]
  let graphRate: Int
  let outputRate: Int

  /// Returns the samples per channel; nil if the graph's rate is the output's, or if a sound other than a voice ends
  /// last.
  ///
  /// - Parameter end: end of the graph's longest source, in samples of the graph.
  func samplesPerChannel(endPosition end: Int?) -> Int? {
    guard graphRate != outputRate, let end else { return nil }
    return voices.compactMap { voice in
      guard voice.source.endPosition == end, let count = voice.source.inputCount else { return nil }
      // floor of (start / graph's rate + count / file's rate) x output's rate; hours at high rates exceed 64 bits.
      let start = Int128(voice.startPosition) * Int128(voice.sampleRate)
      let samples = (start + Int128(count) * Int128(graphRate)) * Int128(outputRate)
      return Int(samples / (Int128(graphRate) * Int128(voice.sampleRate)))
    }.max()
  }
}
