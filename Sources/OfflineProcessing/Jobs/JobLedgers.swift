import AudioGraph

/// Accounts for every sample of a job, each stretch counted by what stands at its ends. That of the graph counts ticks
/// and positions: what is within those lies in the graph for the delay that its plan declares.
///
///     file ▶ read ▶ play ▶ graph ▶ cut ▶ write ▶ file
struct JobLedgers {
  /// Every stretch: the sources', the graph's, the output's, and the ways to programs.
  let edges: [LedgerEdge]
  /// From the voice that ends last to the output's file, all at the graph's rate: what conversions do stands in the
  /// edges.
  let whole: Ledger
  /// The voice that `whole` begins with.
  let wholeUID: UInt32

  /// A source, and where its first sample lies, in samples of the graph.
  struct Source {
    let uid: UInt32
    let edges: [LedgerEdge]
    let startPosition: Int

    var play: Ledger { edges.last?.ledger ?? Ledger() }
    var end: Int { startPosition + play.input }
  }

  /// - Parameter output: begins with what cuts the graph's samples to the stream.
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

  /// What the graph does to a stream: its delay comes out first, as silence, and as much is in it when it ends. That is
  /// held where it is sound, and removed where it is the silence that has driven the sound out.
  ///
  /// - Parameters:
  ///   - rendered: samples that its ticks had.
  ///   - silent: those of them that lie behind the longest source.
  ///   - mixed: samples that came out at MIXED.
  ///   - early: those of them that lie before the stream's beginning.
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

  /// What becomes of frames that nobody takes at MIXED.
  static func cut(_ mixed: PositionCounts.Totals, sampleRate: Int) -> LedgerEdge {
    var ledger = Ledger()
    ledger.input = mixed.all
    ledger.output = mixed.inside
    ledger.removed[.delay] = mixed.early + mixed.late
    return LedgerEdge("output: cut", from: sampleRate, to: sampleRate, ledger)
  }
}
