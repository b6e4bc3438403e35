import AudioFiles

/// How long an output is whose rate is not the graph's: as long as the voice that ends last would be if its file were
/// converted once.
///
/// Thread: any.
struct OutputLength: Sendable {
  /// A file, and where it begins.
  struct Voice: Sendable {
    let source: FileSource
    /// The file's own rate, in Hz.
    let sampleRate: Int
    /// In samples of the graph.
    let startPosition: Int
  }

  let voices: [Voice]
  let graphRate: Int
  let outputRate: Int

  /// Samples per channel; nil where the graph's rate is the output's, or something else than a voice ends last.
  ///
  /// - Parameter end: where the graph's longest source ends, in its samples.
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
