public import Platform
public import Signalling

/// Settings of a relay.
public struct RelayConfiguration: Sendable {
  /// Apps by id; clients of other apps are refused.
  public var apps: [AppID: RelayApp]
  /// Addresses at which clients reach the media ports, for the candidates of answers.
  public var mediaAddresses: [SocketAddress]
  /// Workers for media, each with a port of its own: that of the addresses, plus the worker's number.
  public var workerCount = 1
  /// Limits.
  public var limits = RelayLimits()
  /// Times without a packet or message after which a user is dropped.
  public var dropTimes = DropTimes()
  /// Time for which a user is kept out after a ban, in nanoseconds; 0 for none. Users without a token: 60 s at most.
  public var banNanoseconds = 600_000_000_000
  /// Time between pings of a client, in nanoseconds. A connection without a message for three of them ends.
  public var keepAliveNanoseconds = 10_000_000_000
  /// Time for a `hello` on a new connection, in nanoseconds.
  public var helloNanoseconds = 10_000_000_000
  /// Lifetime of a session without a token, in nanoseconds: 24 h.
  public var appIDOnlyNanoseconds = 86_400_000_000_000
  /// Lifetime of a resume token, in milliseconds: 24 h.
  public var resumeMilliseconds: Int64 = 86_400_000
  /// Secret of at least 16 bytes that signs resume tokens. Without it the relay makes one, and resume tokens end with
  /// the process.
  public var resumeSecret: SecretText?
  /// Origins of web pages that may connect beside those of the relay's own host, if an app takes app ids alone; `*` is
  /// every page.
  public var allowedOrigins: Set<String> = []
  /// Relays for the clients of a drain, the best first.
  public var alternativeRelays: [String] = []
  /// Time of a drain until the relay ends its sessions, in nanoseconds.
  public var drainNanoseconds = 60_000_000_000

  /// Creates the settings.
  ///
  /// - Parameters:
  ///   - apps: apps with different ids; of equal ids the last counts.
  ///   - mediaAddresses: addresses at which clients reach the media ports.
  public init(apps: [RelayApp], mediaAddresses: [SocketAddress]) {
    self.apps = Dictionary(apps.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
    self.mediaAddresses = mediaAddresses
  }
}
