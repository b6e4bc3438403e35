/// Wait of an audience member's received sound. The numbers are those of commercial voice SDKs.
public enum AudienceLatencyLevel: Int, Hashable, Sendable, CaseIterable {
  /// Samples wait for 150 ms at least, so that fewer packets come too late.
  case low = 1
  /// Samples wait as short as the network allows; the level of each broadcaster.
  case ultraLow = 2

  /// Shortest mean wait of a sample, in nanoseconds.
  package var minimumDelayNanoseconds: Int {
    switch self {
    case .low: 150_000_000
    case .ultraLow: 0
    }
  }
}
