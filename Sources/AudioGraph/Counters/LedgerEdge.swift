/// The ledger of one span of a path, and the rates at its ends.
public struct LedgerEdge: Hashable, Sendable {
  /// Name of the samples' owner and of the processing on this span.
  public let name: String
  /// Rate of the input, in Hz.
  public let inputRate: Int
  /// Rate of all other counts, in Hz.
  public let outputRate: Int
  /// Counts of the span, in samples per channel.
  public let ledger: Ledger

  /// Creates a span with the counts of the samples that passed it.
  public init(_ name: String, from inputRate: Int, to outputRate: Int, _ ledger: Ledger) {
    self.name = name
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.ledger = ledger
  }

  /// Number of unaccounted samples; 0 when the ledger closes.
  public var imbalance: Int { ledger.imbalance(from: inputRate, to: outputRate) }
}
