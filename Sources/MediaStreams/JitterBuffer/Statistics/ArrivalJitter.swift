/// How much the time from one packet to the next differs at arrival from that at the sender, as a running mean.
///
/// Packets that come after later ones do not count: they were held up on purpose, or sent again.
///
/// Source: RFC 3550, section 6.4.1 and appendix A.8. Real-time: wait-free.
struct ArrivalJitter: BitwiseCopyable {
  /// The mean so far, in nanoseconds.
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

  /// - Parameters:
  ///   - timestamp: of 48 kHz, unwrapped.
  ///   - arrival: in nanoseconds.
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
