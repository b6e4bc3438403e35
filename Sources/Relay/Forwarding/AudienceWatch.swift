/// Packets of a user without the right to publish, by seconds.
struct AudienceWatch {
  /// Seconds above the limit after which the user is banned.
  static let seconds = 5
  private var second = Int.min
  private var count = 0
  private var secondsAbove = 0

  /// Counts a packet.
  ///
  /// - Returns: Whether the user has sent more than the limit in each of 5 s in succession.
  mutating func count(limit: Int, nowNanoseconds: Int) -> Bool {
    let second = nowNanoseconds / 1_000_000_000
    if second != self.second {
      if second != self.second &+ 1 || count <= limit { secondsAbove = 0 }
      (self.second, count) = (second, 0)
    }
    count &+= 1
    if count == limit &+ 1 { secondsAbove &+= 1 }
    return secondsAbove >= Self.seconds
  }
}
