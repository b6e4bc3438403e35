/// Running mean of the difference between the packets' spacing at arrival and that at the sender.
///
/// Packets that come after later ones do not count: they were held up on purpose, or sent again.
///
/// Source: RFC 3550, section 6.4.1 and appendix A.8. Real-time: wait-free.
struct ArrivalJitter: BitwiseCopyable {
  /// Mean so far, in nanoseconds.
  private(set) var nanoseconds: Double
  private var newestSequence: Int
  private var newestTransit: Int
  private var isEmpty: Bool

  @_noLocks
  init() {
    nanoseconds = 0
    newestSequence = 0
    newestTransit = 0
    isEmpty = true
  }

  /// Notes a packet.
  ///
  /// - Parameters:
  ///   - sequence: sequence number, unwrapped.
  ///   - timestamp: timestamp of 48 kHz, unwrapped.
  ///   - arrival: time of arrival, in nanoseconds.
  @_noLocks
  mutating func observe(sequence: Int, timestamp: Int, arrival: Int) {
    if !isEmpty && sequence <= newestSequence { return }
    let transit = arrival &- JitterBuffer.nanoseconds(timestamp)
    if !isEmpty { nanoseconds += (Double((transit &- newestTransit).magnitude) - nanoseconds) / 16 }
    newestSequence = sequence
    newestTransit = transit
    isEmpty = false
  }
}
