/// Random numbers that depend on a seed and on their purpose, and on nothing else.
///
/// One seed makes any number of streams, each named by a path (this link, its losses). An additional stream, or more
/// numbers drawn from one, do not change the numbers of another one.
///
/// Source: xoshiro256** 1.0, Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021; seeded with
/// SplitMix64 as its authors recommend.
public struct RandomStream: RandomNumberGenerator, Sendable {
  private var s0: UInt64
  private var s1: UInt64
  private var s2: UInt64
  private var s3: UInt64

  /// Creates the stream of `seed` that `path` names.
  public init(seed: UInt64, path: UInt64...) {
    var key = seed
    for component in path {
      // A whole step between two components, so that (1, 2) and (2, 1), or () and (0), are different streams.
      key = Self.splitMix(&key) ^ component
    }
    s0 = Self.splitMix(&key)
    s1 = Self.splitMix(&key)
    s2 = Self.splitMix(&key)
    s3 = Self.splitMix(&key)
  }

  /// Creates the generator in a given state, which must not be all zeros.
  init(state s0: UInt64, _ s1: UInt64, _ s2: UInt64, _ s3: UInt64) {
    precondition(s0 | s1 | s2 | s3 != 0, "a xoshiro256** state of zeros gives zeros for ever")
    (self.s0, self.s1, self.s2, self.s3) = (s0, s1, s2, s3)
  }

  public mutating func next() -> UInt64 {
    let result = Self.rotated(s1 &* 5, by: 7) &* 9
    let shifted = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = Self.rotated(s3, by: 45)
    return result
  }

  private static func rotated(_ value: UInt64, by count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }

  private static func splitMix(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
