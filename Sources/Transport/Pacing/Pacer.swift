/// Says when the next packet may leave, so that many of them together leave no faster than at a rate.
///
/// A packet takes as long as the rate needs for its bytes; the next may leave when that has passed. A state machine: it
/// reads no clock. Real-time: wait-free.
public struct Pacer: Sendable, BitwiseCopyable {
  private let bitsPerSecond: Int
  /// When the next packet may leave; a time in the past is now.
  public private(set) var nextNanoseconds = Int.min

  /// A pacer that has let nothing through. Traps for a rate below 1 or over 10 Gbit/s.
  @_noLocks
  public init(bitsPerSecond: Int) {
    precondition(bitsPerSecond > 0 && bitsPerSecond <= 10_000_000_000, "a rate is 1 bit/s to 10 Gbit/s")
    self.bitsPerSecond = bitsPerSecond
  }

  /// Notes a packet, at most 65535 bytes, that leaves now.
  @_noLocks
  public mutating func depart(byteCount: Int, nowNanoseconds: Int) {
    let begin = nextNanoseconds > nowNanoseconds ? nextNanoseconds : nowNanoseconds
    nextNanoseconds = begin &+ byteCount &* 8_000_000_000 / bitsPerSecond
  }
}
