/// The sums of four groups of six samples, with few single additions.
struct DecimatingSum: BitwiseCopyable {
  /// The sums, one in each lane.
  let lanes: SIMD4<Float>

  /// Adds up 24 samples.
  @_noLocks @inline(__always)
  init(_ samples: UnsafePointer<Float>) {
    self.init(
      Self.head(samples, 0), Self.head(samples, 1), Self.head(samples, 2), Self.head(samples, 3),
      Self.tails(samples, 0), Self.tails(samples, 2))
  }

  /// Adds up 24 samples of two channels, which count as one.
  @_noLocks @inline(__always)
  init(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>) {
    self.init(
      Self.head(left, 0) + Self.head(right, 0), Self.head(left, 1) + Self.head(right, 1),
      Self.head(left, 2) + Self.head(right, 2), Self.head(left, 3) + Self.head(right, 3),
      Self.tails(left, 0) + Self.tails(right, 0), Self.tails(left, 2) + Self.tails(right, 2))
  }

  /// Adds the first four samples of each group, the last two of groups 0 and 1, and the last two of groups 2 and 3.
  @_noLocks @inline(__always)
  private init(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>, _ first: SIMD4<Float>,
    _ last: SIMD4<Float>
  ) {
    // Rows to columns, with additions at the same time: a0 + a2, b0 + b2, a1 + a3, b1 + b3.
    let ab = SIMD4(a[0], b[0], a[1], b[1]) + SIMD4(a[2], b[2], a[3], b[3])
    let cd = SIMD4(c[0], d[0], c[1], d[1]) + SIMD4(c[2], d[2], c[3], d[3])
    let heads = SIMD4(ab[0], ab[1], cd[0], cd[1]) + SIMD4(ab[2], ab[3], cd[2], cd[3])
    lanes = heads + (SIMD4(first[0], first[2], last[0], last[2]) + SIMD4(first[1], first[3], last[1], last[3]))
  }

  @_noLocks @inline(__always)
  private static func head(_ samples: UnsafePointer<Float>, _ group: Int) -> SIMD4<Float> {
    UnsafeRawPointer(samples + 6 &* group).loadUnaligned(as: SIMD4<Float>.self)
  }

  @_noLocks @inline(__always)
  private static func tails(_ samples: UnsafePointer<Float>, _ group: Int) -> SIMD4<Float> {
    let tail = samples + (6 &* group &+ 4)
    return SIMD4(
      lowHalf: UnsafeRawPointer(tail).loadUnaligned(as: SIMD2<Float>.self),
      highHalf: UnsafeRawPointer(tail + 6).loadUnaligned(as: SIMD2<Float>.self))
  }
}
