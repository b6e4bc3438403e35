/// The ledger of one stretch of a way, and the rates at its ends.
public struct LedgerEdge: Hashable, Sendable {
  /// Whose samples, and what becomes of them there.
  public let name: String
  /// Rate of what comes in, in Hz.
  public let inputRate: Int
  /// Rate of everything else, in Hz.
  public let outputRate: Int
  /// Samples per channel.
  public let ledger: Ledger

  /// A stretch whose samples were counted where they passed.
  public init(_ name: String, from inputRate: Int, to outputRate: Int, _ ledger: Ledger) {
    self.name = name
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.ledger = ledger
  }

  /// What is unaccounted for; 0 when the ledger closes.
  public var imbalance: Int { ledger.imbalance(from: inputRate, to: outputRate) }
}
