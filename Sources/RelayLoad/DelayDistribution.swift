/// Distribution of delays, in buckets of less than 1 % each.
package struct DelayDistribution: Sendable {
  private static let bitsPerOctave = 7
  private static let bucketsPerOctave = 1 << bitsPerOctave

  private var buckets: [Int] = []
  /// Number of delays.
  package private(set) var count = 0
  /// Longest delay, in nanoseconds; 0 without delays.
  package private(set) var maximumNanoseconds = 0

  /// Creates an empty distribution.
  package init() {}

  /// Counts a delay; a negative one counts as 0.
  package mutating func add(nanoseconds: Int) {
    let value = max(1, nanoseconds)
    let octave = Int.bitWidth - 1 - value.leadingZeroBitCount
    // The bits behind the first one are the bucket within the octave.
    let shift = octave - Self.bitsPerOctave
    let part = (shift >= 0 ? value >> shift : value << -shift) & (Self.bucketsPerOctave - 1)
    let bucket = octave << Self.bitsPerOctave | part
    if bucket >= buckets.count { buckets += [Int](repeating: 0, count: bucket + 1 - buckets.count) }
    buckets[bucket] += 1
    count += 1
    maximumNanoseconds = max(maximumNanoseconds, nanoseconds)
  }

  /// Adds the delays of another distribution, bucket by bucket.
  package mutating func add(_ other: DelayDistribution) {
    if other.buckets.count > buckets.count {
      buckets += [Int](repeating: 0, count: other.buckets.count - buckets.count)
    }
    for (bucket, found) in other.buckets.enumerated() { buckets[bucket] += found }
    count += other.count
    maximumNanoseconds = max(maximumNanoseconds, other.maximumNanoseconds)
  }

  /// Buckets with delays, each with its index and its count, for another process.
  package var filled: [(bucket: Int, count: Int)] {
    buckets.enumerated().compactMap { $1 > 0 ? (bucket: $0, count: $1) : nil }
  }

  /// Creates the distribution of `filled`; nil for a bucket or a count that no distribution has.
  package init?(filled: [(bucket: Int, count: Int)], maximumNanoseconds: Int) {
    let end = Int.bitWidth << Self.bitsPerOctave
    guard filled.allSatisfy({ (0..<end).contains($0.bucket) && $0.count > 0 }) else { return nil }
    buckets = [Int](repeating: 0, count: (filled.map(\.bucket).max() ?? -1) + 1)
    for (bucket, found) in filled { buckets[bucket] += found }
    count = filled.reduce(0) { $0 + $1.count }
    self.maximumNanoseconds = maximumNanoseconds
  }

  /// Returns the delay that a share (0...1) of all does not exceed, less than 1 % too long at most, in nanoseconds.
  ///
  /// - Returns: 0 without delays.
  package func nanoseconds(atQuantile quantile: Double) -> Int {
    let rank = max(1, Int((Double(count) * quantile).rounded(.up)))
    var seen = 0
    for (bucket, found) in buckets.enumerated() where found > 0 {
      seen += found
      if seen >= rank { return min(Self.upperBound(of: bucket), maximumNanoseconds) }
    }
    return 0
  }

  private static func upperBound(of bucket: Int) -> Int {
    let (octave, part) = (bucket >> bitsPerOctave, bucket & (bucketsPerOctave - 1))
    let (first, shift) = (bucketsPerOctave | part, octave - bitsPerOctave)
    return shift >= 0 ? (first + 1) << shift - 1 : first >> -shift
  }
}
