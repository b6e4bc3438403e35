import Synchronization

/// Link from a user's forwarder to that of another channel, in which the user is heard.
///
/// Thread: that which holds the user's forwarder; `loss` any.
final class RelayLink {
  /// Number of the link, from 1 on; no other link to the forwarder has it.
  let number: UInt64
  /// Forwarder of the other channel.
  unowned let destination: Forwarder
  /// Bytes of the link's packets that wait, and the reading of the memory before which they came; `RelayedPackets`
  /// orders them.
  var waiting: (byteCount: Int, reading: Int) = (0, -1)
  /// The listeners' loss in the lower 32 bits, and their number in the upper ones; 0 without a report.
  private let reported = Atomic(UInt64(0))

  init(_ number: UInt64, to destination: Forwarder) {
    self.number = number
    self.destination = destination
  }

  /// Loss of the other channel's listeners, 0...1, and their number; nil without a report.
  var loss: ListenersLoss? {
    get {
      let word = reported.load(ordering: .relaxed)
      guard word != 0 else { return nil }
      return ListenersLoss(
        share: Double(Float(bitPattern: UInt32(truncatingIfNeeded: word))), listenerCount: Int(word >> 32))
    }
    set {
      let word = newValue.map { UInt64($0.listenerCount) << 32 | UInt64(Float($0.share).bitPattern) }
      reported.store(word ?? 0, ordering: .relaxed)
    }
  }
}
