/// Access of the signalling to the forwarders: it holds at most one of them, from its first use of a user's media until
/// it uses media of another one, or leaves.
///
/// Thread: that of the signalling.
final class ForwarderAccess {
  private var entered: Forwarder?
  /// Gets each forwarder that is let go.
  var onRelease: ((Forwarder) -> Void)?

  /// Whether it holds one.
  var isHolding: Bool { entered != nil }

  /// Takes hold of a forwarder; waits for at most the packets of a datagram.
  func enter(_ forwarder: Forwarder) {
    if entered === forwarder { return }
    leave()
    forwarder.lock.lockFirst()
    entered = forwarder
  }

  /// Lets the forwarder go on.
  func leave() {
    guard let forwarder = entered else { return }
    forwarder.lock.unlockFirst()
    entered = nil
    onRelease?(forwarder)
  }
}
