import Synchronization

/// What a sender counts while it sends; plain numbers that order nothing.
struct SenderCounters: ~Copyable {
  let packets = Atomic<Int>(0)
  let payloadBytes = Atomic<Int>(0)
  /// Packets that the codec said need not be sent (DTX).
  let suppressed = Atomic<Int>(0)
  /// Packets that could not be made.
  let failures = Atomic<Int>(0)
  /// False while there is nothing to send: stored by the control thread, stands for itself.
  let isSending = Atomic<Bool>(false)
}
