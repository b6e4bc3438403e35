/// Says when the next packet may leave, so that many of them together leave no faster than at a rate.
///
/// A packet takes as long as the rate needs for its bytes; the next may leave when that has passed. Who looks only now
/// and then comes late for that moment: by so much as `lateness` it costs nothing of the rate, and then several may
/// leave together. A state machine: it reads no clock. Real-time: wait-free.
public struct Pacer: Sendable, BitwiseCopyable {
  private let bitsPerSecond: Int
  private let lateness: Int
  /// When the next packet may leave; a time in the past is now.
  public private(set) var nextNanoseconds = Int.min

  /// A pacer that has let nothing through. Traps for a rate below 1 or over 10 Gbit/s.
  ///
  /// - Parameter latenessNanoseconds: the time between two looks: by itself that of a frame.
  @_noLocks
  public init(bitsPerSecond: Int, latenessNanoseconds: Int = 10_000_000) {
    precondition(bitsPerSecond > 0 && bitsPerSecond <= 10_000_000_000, "a rate is 1 bit/s to 10 Gbit/s")
    precondition(latenessNanoseconds >= 0, "nobody comes before the time")
    lateness = latenessNanoseconds
    self.bitsPerSecond = bitsPerSecond
  }

  /// Notes a packet, at most 65535 bytes, that leaves now.
  @_noLocks
  public mutating func depart(byteCount: Int, nowNanoseconds: Int) {
    // Longer than that nothing was there to leave, and that is not saved up.
    let begin = nextNanoseconds >= nowNanoseconds &- lateness ? nextNanoseconds : nowNanoseconds
    nextNanoseconds = begin &+ byteCount &* 8_000_000_000 / bitsPerSecond
  }
}
