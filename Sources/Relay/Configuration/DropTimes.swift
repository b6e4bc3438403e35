public import Signalling

/// Times without a packet or message after which a user is dropped, by the channel's profile, in nanoseconds.
///
/// Clients get that of their channel with the answer to `join`.
public struct DropTimes: Hashable, Sendable {
  /// Profile communication: 20 s.
  public var communication = standard(.communication)
  /// Profile live: 25 s.
  public var live = standard(.live)
  /// Profiles game free and game command: 15 s.
  public var game = standard(.gameFree)

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

  /// Returns the time of a profile for `joined`, in milliseconds.
  func milliseconds(_ profile: ChannelProfile) -> Int64 { Int64(max(0, nanoseconds(profile)) / 1_000_000) }

  private static func standard(_ profile: ChannelProfile) -> Int { Int(profile.standardDropMilliseconds) * 1_000_000 }
}
