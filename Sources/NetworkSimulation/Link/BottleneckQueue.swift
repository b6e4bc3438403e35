/// The queue before a link's rate, exact to the nanosecond: fractions are carried from packet to packet.
struct BottleneckQueue {
  /// Time at which the last accepted packet has left, in nanoseconds; `fraction` is part of one more, in units of 1 /
  /// the rate of that packet.
  private var idleFrom = Int.min
  private var fraction = 0

  /// Returns the time at which the packet has left the queue; nil if it finds the queue full.
  mutating func departure(of byteCount: Int, through model: Bottleneck, nowNanoseconds now: Int) -> Int? {
    let rate = model.bitsPerSecond
    if idleFrom < now {
      idleFrom = now
      fraction = 0
    }
    // Bytes not yet sent; a byte partly sent counts in full.
    let waitingBits = (Int128(idleFrom - now) * Int128(rate) + Int128(fraction)) / 1_000_000_000
    let waitingBytes = (waitingBits + 7) / 8
    // An idle link takes any packet at once: the packet does not wait.
    guard waitingBytes == 0 || waitingBytes + Int128(byteCount) <= Int128(model.queueByteLimit) else { return nil }
    let (nanoseconds, rest) = (byteCount * 8_000_000_000 + min(fraction, rate - 1)).quotientAndRemainder(
      dividingBy: rate)
    idleFrom += nanoseconds
    fraction = rest
    // A fraction of a nanosecond rounds up to the next one.
    return idleFrom + (rest > 0 ? 1 : 0)
  }
}
