import AudioGraph

/// Accounts for every sample of a job; the components at both ends of each span count its samples.
///
/// The graph's span counts ticks and positions. Samples within it stay in the graph for the delay that its plan
/// declares.
///
///     file ▶ read ▶ play ▶ graph ▶ cut ▶ write ▶ file
struct JobLedgers {
  /// Ledgers of all spans: those of the sources, the graph, the output, and the paths to programs.
  let edges: [LedgerEdge]
  /// Ledger from the voice that ends last to the output's file, at the graph's rate; `edges` has the conversions.
  let whole: Ledger
  /// User of the voice that `whole` begins with.
  let wholeUID: UInt32

  /// A source, with the position of its first sample, in samples of the graph.
  struct Source {
    let uid: UInt32
    let edges: [LedgerEdge]
    let startPosition: Int

    var play: Ledger { edges.last?.ledger ?? Ledger() }
    var end: Int { startPosition + play.input }
  }

  /// - Parameters:
  ///   - voices: voices of the job.
  ///   - sounds: edges of music, effects and codecs.
  ///   - graph: edge of the graph.
  ///   - output: edges of the output; the first one cuts the graph's samples to the stream.
  ///   - programs: edges of the programs.
  init(voices: [Source], sounds: [[LedgerEdge]], graph: LedgerEdge, output: [LedgerEdge], programs: [LedgerEdge]) {
    edges = voices.flatMap(\.edges) + sounds.flatMap { $0 } + [graph] + output + programs
    let longest = voices.max { $0.end < $1.end }
    wholeUID = longest?.uid ?? 0
    var whole = (longest?.play ?? Ledger()).followed(by: graph.ledger).followed(by: output.first?.ledger ?? Ledger())
    if let write = output.dropFirst().first {
      let lost = write.ledger.dropped * write.inputRate / write.outputRate
      whole.output -= lost
      whole.dropped += lost
    }
    self.whole = whole
  }

  /// Returns the graph's effect on a stream: its delay comes out first, as silence, and as many samples are in it at
  /// the end.
  ///
  /// Samples in it at the end count as held if they are sound, and as removed if they are the silence that drained the
  /// sound.
  ///
  /// - Parameters:
  ///   - rendered: samples of the graph's ticks.
  ///   - silent: samples of `rendered` behind the longest source.
  ///   - mixed: samples that came out at MIXED.
  ///   - early: samples of `mixed` before the stream's beginning.
  ///   - latency: delay of the graph, in samples.
  ///   - sampleRate: rate of the graph, in Hz.
  static func graph(rendered: Int, silent: Int, mixed: Int, early: Int, latency: Int, sampleRate: Int) -> LedgerEdge {
    var ledger = Ledger()
    ledger.input = rendered
    ledger.output = mixed
    ledger.inserted[.delay] = early
    let inside = min(rendered, latency)
    ledger.removed[.delay] = min(inside, silent)
    ledger.held = inside - min(inside, silent)
    return LedgerEdge("graph", from: sampleRate, to: sampleRate, ledger)
  }

  /// Returns the edge for frames at MIXED without an output.
  static func cut(_ mixed: PositionCounts.Totals, sampleRate: Int) -> LedgerEdge {
    var ledger = Ledger()
    ledger.input = mixed.all
    ledger.output = mixed.inside
    ledger.removed[.delay] = mixed.early + mixed.late
    return LedgerEdge("output: cut", from: sampleRate, to: sampleRate, ledger)
  }
}
