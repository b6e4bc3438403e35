/// Progress of a receiver with its stream.
package enum ReceptionPhase: Sendable, BitwiseCopyable, CaseIterable {
  /// No stream is received.
  case none
  /// Packets have come, and none has been played since the stream began or since the listener muted it.
  case begun
  /// Packets are decoded, or the sender has said that it is silent.
  case decoded
  /// No packet has come for so long that concealment has faded out: 200 ms of it in a row.
  case frozen

  /// Number for comparisons.
  var number: Int {
    @_noLocks get {
      switch self {
      case .none: 0
      case .begun: 1
      case .decoded: 2
      case .frozen: 3
      }
    }
  }
}
