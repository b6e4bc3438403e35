import Synchronization

/// Counters of a sender; plain numbers that order nothing.
struct SenderCounters: ~Copyable {
  let packets = Atomic<Int>(0)
  let payloadBytes = Atomic<Int>(0)
  /// Packets that the codec said need not be sent (DTX).
  let suppressed = Atomic<Int>(0)
  /// Packets that could not be made.
  let failures = Atomic<Int>(0)
  /// Whether there is something to send. Stored by the control thread; stands for itself.
  let isSending = Atomic<Bool>(false)
  /// Number of times that sending began. Stored by the control thread; stands for itself.
  let starts = Atomic<Int>(0)
}
