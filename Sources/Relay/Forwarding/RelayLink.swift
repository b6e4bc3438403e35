import Synchronization

/// Link from a user's forwarder to that of another channel, in which the user is heard.
///
/// Thread: that which holds the user's forwarder; `loss` any.
final class RelayLink {
  /// Number of the link, from 1 on; no other link to the forwarder has it.
  let number: UInt64
  /// Forwarder of the other channel.
  unowned let destination: Forwarder
  /// Bits of the listeners' loss; those of a NaN without a report.
  private let lossBits = Atomic(Double.nan.bitPattern)

  init(_ number: UInt64, to destination: Forwarder) {
    self.number = number
    self.destination = destination
  }

  /// Loss of the other channel's listeners, 0...1: nine of ten lose no more. Nil without a report.
  var loss: Double? {
    get {
      let loss = Double(bitPattern: lossBits.load(ordering: .relaxed))
      return loss.isNaN ? nil : loss
    }
    set { lossBits.store((newValue ?? .nan).bitPattern, ordering: .relaxed) }
  }
}
