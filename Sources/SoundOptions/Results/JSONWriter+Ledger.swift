package import AudioGraph
package import JSON

extension JSONWriter {
  /// Writes the fields of a ledger into an object: samples per channel.
  package mutating func fields(of ledger: Ledger) {
    field("in", ledger.input)
    field("inserted", ledger.insertedTotal)
    field("out", ledger.output)
    field("held", ledger.held)
    field("dropped", ledger.dropped)
    field("removed", ledger.removedTotal)
  }
}
