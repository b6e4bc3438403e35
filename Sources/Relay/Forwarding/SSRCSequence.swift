/// SSRCs of one media connection, each of them once.
struct SSRCSequence {
  /// Step from one SSRC to the next: odd, so that 2^32 of them differ.
  private static let step: UInt32 = 0x9E37_79B1
  private var following: UInt32

  /// Creates the SSRCs from a random first one.
  init(first: UInt32) { following = first }

  /// Returns an SSRC that the connection has not had.
  mutating func next() -> UInt32 {
    defer { following &+= Self.step }
    return following
  }
}
