public import Signalling

/// Times without any packet after which a user is dropped, by the channel's profile, in nanoseconds.
public struct DropTimes: Hashable, Sendable {
  /// Profile communication: 20 s.
  public var communication = 20_000_000_000
  /// Profile live: 25 s.
  public var live = 25_000_000_000
  /// Profiles game free and game command: 15 s.
  public var game = 15_000_000_000

  /// Creates the standard times.
  public init() {}

  /// Returns the time of a profile.
  public func nanoseconds(_ profile: ChannelProfile) -> Int {
    switch profile {
    case .communication: communication
    case .live: live
    case .gameFree, .gameCommand: game
    }
  }
}
