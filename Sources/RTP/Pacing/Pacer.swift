/// Schedules packets so that many of them together leave no faster than at a rate.
///
/// A packet takes as long as the rate needs for its bytes; the next may leave after that time. A caller that checks
/// only now and then is late for it. A delay of up to `latenessNanoseconds` costs nothing of the rate, and several
/// packets may then leave together. A state machine: it reads no clock. Real-time: wait-free.
///
/// It is for retransmissions, since a burst of requests can name 30 packets at once. After a late tick, only two or
/// three new packets of a voice are due, less than 400 bytes. To pace them would delay sound that a listener needs.
public struct Pacer: Sendable, BitwiseCopyable {
  private let bitsPerSecond: Int
  private let lateness: Int
  /// Time at which the next packet may leave, in nanoseconds; a time in the past means now.
  public private(set) var nextNanoseconds = Int.min

  /// Creates a pacer without packets so far. Traps for a rate below 1 bit/s or over 10 Gbit/s.
  ///
  /// - Parameters:
  ///   - bitsPerSecond: rate of the packets.
  ///   - latenessNanoseconds: time between two checks; by default that of a frame.
  @_noLocks
  public init(bitsPerSecond: Int, latenessNanoseconds: Int = 10_000_000) {
    precondition(bitsPerSecond > 0 && bitsPerSecond <= 10_000_000_000, "a rate is 1 bit/s to 10 Gbit/s")
    precondition(latenessNanoseconds >= 0, "nobody comes before the time")
    lateness = latenessNanoseconds
    self.bitsPerSecond = bitsPerSecond
  }

  /// Notes a packet of at most 65535 bytes that leaves now.
  @_noLocks
  public mutating func depart(byteCount: Int, nowNanoseconds: Int) {
    // A longer time without packets is not saved.
    let begin = nextNanoseconds >= nowNanoseconds &- lateness ? nextNanoseconds : nowNanoseconds
    nextNanoseconds = begin &+ byteCount &* 8_000_000_000 / bitsPerSecond
  }
}
