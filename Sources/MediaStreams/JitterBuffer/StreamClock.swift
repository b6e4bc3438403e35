import RTP

/// Conversion between a stream's RTP clock and the 48 kHz of the jitter buffer, in integers: it never drifts.
///
/// A timestamp of the buffer names the newest sample of 48 kHz that is not later than the stream's sample.
/// Real-time: wait-free.
struct StreamClock: BitwiseCopyable {
  /// Samples of 48 kHz in `perCycle` units of the stream's clock, in lowest terms.
  let samplesPerCycle: Int
  let perCycle: Int

  /// Creates a clock of `rate` units in a second.
  @_noLocks
  init(rate: Int) {
    precondition(rate > 0, "an RTP clock has more than 0 Hz")
    var (larger, smaller) = (48_000, rate)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    samplesPerCycle = 48_000 / larger
    perCycle = rate / larger
  }

  /// Returns a timestamp without wraps, which is not below 0, in samples of 48 kHz.
  @_noLocks
  func samples(_ timestamp: Int) -> Int { timestamp &* samplesPerCycle / perCycle }

  /// Returns the samples of 48 kHz between the timestamps of a packet's begin and of its end.
  @_noLocks
  func sampleCount(from timestamp: Int, units: Int) -> Int {
    samples(timestamp &+ units) &- samples(timestamp)
  }

  /// Returns the RTP timestamp of a place in samples of 48 kHz; for a packet's begin, the one in the packet.
  @_noLocks
  func timestamp(_ samples: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: (samples &* perCycle &+ samplesPerCycle &- 1) / samplesPerCycle)
  }

  /// Returns a distance in samples of 48 kHz as the nearest one, if timestamps may have wrapped in between.
  @_noLocks
  func nearest(_ distance: Int) -> Int {
    let turn = (1 &<< 32) &* samplesPerCycle / perCycle
    let rest = (distance &+ turn / 2) % turn
    return (rest < 0 ? rest &+ turn : rest) &- turn / 2
  }
}
