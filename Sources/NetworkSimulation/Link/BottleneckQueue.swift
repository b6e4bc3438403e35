/// The queue before a link's rate, exact to the nanosecond: fractions are carried from packet to packet.
struct BottleneckQueue {
  /// When the last packet accepted has left, in nanoseconds; the fraction of one more, in parts of the rate it was sent
  /// at.
  private var idleFrom = Int.min
  private var fraction = 0

  /// When the packet has left the queue; nil = it found it full.
  mutating func departure(of byteCount: Int, through model: Bottleneck, nowNanoseconds now: Int) -> Int? {
    let rate = model.bitsPerSecond
    if idleFrom < now {
      idleFrom = now
      fraction = 0
    }
    // Bytes not yet sent, those of a byte half sent in full.
    let waitingBits = (Int128(idleFrom - now) * Int128(rate) + Int128(fraction)) / 1_000_000_000
    let waitingBytes = (waitingBits + 7) / 8
    // An idle link takes any packet at once: it waits for nobody.
    guard waitingBytes == 0 || waitingBytes + Int128(byteCount) <= Int128(model.queueByteLimit) else { return nil }
    let (nanoseconds, rest) = (byteCount * 8_000_000_000 + min(fraction, rate - 1)).quotientAndRemainder(
      dividingBy: rate)
    idleFrom += nanoseconds
    fraction = rest
    // A fraction of a nanosecond later is the next whole one.
    return idleFrom + (rest > 0 ? 1 : 0)
  }
}
