import Synchronization

/// Collects durations of calls, in buckets of a sixteenth of an octave, without allocating.
///
/// Thread: one records, any reads. Its figures influence no sample and no event.
public final class DurationHistogram: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the buckets are atomics at a fixed address.

  private static let bucketsPerOctave = 16
  private static let bucketCount = 40 * bucketsPerOctave
  private let buckets: UnsafeMutablePointer<Atomic<Int>>
  private let maximum = Atomic<Int>(0)
  private let total = Atomic<Int>(0)

  /// Creates an empty histogram.
  public init() {
    buckets = .allocate(capacity: Self.bucketCount)
    for index in 0..<Self.bucketCount { (buckets + index).initialize(to: Atomic(0)) }
  }

  deinit {
    buckets.deinitialize(count: Self.bucketCount)
    buckets.deallocate()
  }

  /// Counts one call that took `nanoseconds`. Thread: one at a time. Real-time: wait-free.
  @_noLocks
  public func record(nanoseconds: Int) {
    let clamped = nanoseconds < 1 ? 1 : nanoseconds
    let octave = Int.bitWidth &- 1 &- clamped.leadingZeroBitCount
    let fraction = octave >= 4 ? (clamped >> (octave &- 4)) & 15 : (clamped << (4 &- octave)) & 15
    let bucket = min(octave &* 16 &+ fraction, 40 &* 16 &- 1)
    // With one writer, a load and a store are enough; an atomic sum would lock the bus three times a call.
    buckets[bucket].store(buckets[bucket].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    if clamped > maximum.load(ordering: .relaxed) { maximum.store(clamped, ordering: .relaxed) }
    total.store(total.load(ordering: .relaxed) &+ clamped, ordering: .relaxed)
  }

  /// Number of calls counted so far.
  public var count: Int { (0..<Self.bucketCount).reduce(0) { $0 + buckets[$1].load(ordering: .relaxed) } }

  /// Duration of the longest call, in nanoseconds.
  public var maximumNanoseconds: Int { maximum.load(ordering: .relaxed) }

  /// Duration of all calls together, in nanoseconds.
  public var totalNanoseconds: Int { total.load(ordering: .relaxed) }

  /// Returns the duration that a share `quantile` (0...1) of the calls did not exceed, within 6 %, in nanoseconds.
  public func nanoseconds(atQuantile quantile: Double) -> Int {
    let counts = (0..<Self.bucketCount).map { buckets[$0].load(ordering: .relaxed) }
    let rank = Int((Double(counts.reduce(0, +)) * quantile).rounded(.up))
    var seen = 0
    for (bucket, count) in counts.enumerated() where count > 0 {
      seen += count
      // The last bucket also holds everything that is longer.
      if seen >= rank, bucket == Self.bucketCount - 1 { return maximumNanoseconds }
      if seen >= rank { return min(Self.upperBound(of: bucket), maximumNanoseconds) }
    }
    return 0
  }

  private static func upperBound(of bucket: Int) -> Int {
    let octave = bucket / bucketsPerOctave
    let fraction = bucket % bucketsPerOctave
    return octave >= 4
      ? ((bucketsPerOctave + fraction + 1) << (octave - 4)) - 1 : (bucketsPerOctave + fraction) >> (4 - octave)
  }
}
