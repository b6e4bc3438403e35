import DataStreams
package import Signalling

/// Limits of a relay. A refused request names the limit, its value, and the setting that raises it.
public struct RelayLimits: Hashable, Sendable {
  /// Connections with signalling.
  public var connections = 10_000
  /// Connections without a session of one IPv4 address, or of one /64 network of IPv6.
  public var waitingConnections = 200
  /// Sessions of all apps.
  public var sessions = 10_000
  /// Sessions of one user of an app: a message to the user costs a copy for each.
  public var sessionsPerUser = 50
  /// Channels of all apps.
  public var channels = 10_000
  /// Channels of a session.
  public var channelsPerSession = 100
  /// Users of a channel, without hidden ones.
  public var usersPerChannel = 1_000
  /// Users of a channel that may publish: broadcasters, or publishing users in a profile without roles.
  public var publishersPerChannel = 100
  /// Bytes of messages that wait for a connection, and 64 KiB more for each channel of its session beyond the first;
  /// the relay ends a slower connection.
  public var queuedByteCount = 262_144
  /// Requests of a connection within a second, and 20 more for each channel of its session beyond the first.
  public var requestsPerSecond = 200
  /// Messages to users, and questions whether a user is online, of a session within a second. A message counts for each
  /// session that it goes to.
  public var messagesPerSecond = 50
  /// Packets of an audience user within a second; more of them for 5 s ban the user.
  public var audiencePacketsPerSecond = 100
  /// Publishers that a listener hears at the same time: the loudest ones; 0 for all.
  public var speakers = 0
  /// Packets that a listener may request again within a second.
  public var retransmissionsPerSecond = 200

  /// Creates the standard limits.
  public init() {}

  /// Bytes of messages that wait for a connection with so many channels at most: each one brings an answer with its
  /// users.
  func queuedByteCount(memberCount: Int) -> Int {
    queuedByteCount + max(0, memberCount - 1) * MessageLimits.messageByteCount
  }

  /// Requests within a second of a connection with so many channels.
  func requestsPerSecond(memberCount: Int) -> Int { requestsPerSecond + 20 * max(0, memberCount - 1) }

  /// Limits that a client may reach, for `welcome`.
  package var named: [NamedLimit] {
    [.channels(self), .users(self), .publishers(self), .requests(self), .messages(self), .dataMessages]
  }
}

extension NamedLimit {
  static func sessions(_ limits: RelayLimits) -> NamedLimit { make("sessions", limits.sessions) }
  static func sessionsOfUser(_ limits: RelayLimits) -> NamedLimit {
    NamedLimit(name: "sessions-per-user", value: Int64(limits.sessionsPerUser))
  }
  static func allChannels(_ limits: RelayLimits) -> NamedLimit { make("relay-channels", limits.channels) }
  static func channels(_ limits: RelayLimits) -> NamedLimit { make("channels", limits.channelsPerSession) }
  static func users(_ limits: RelayLimits) -> NamedLimit { make("users", limits.usersPerChannel) }
  static func publishers(_ limits: RelayLimits) -> NamedLimit { make("publishers", limits.publishersPerChannel) }
  static func requests(_ limits: RelayLimits, memberCount: Int = 1) -> NamedLimit {
    make("requests-per-second", limits.requestsPerSecond(memberCount: memberCount))
  }
  static func messages(_ limits: RelayLimits) -> NamedLimit { make("messages-per-second", limits.messagesPerSecond) }
  /// Limit of the messages of data streams, which is the same at every relay: clients keep it, too.
  static var dataMessages: NamedLimit {
    NamedLimit(name: "data-messages-per-second", value: Int64(DataLimits.messagesPerSecond))
  }
  /// Limit of a receiver's queue for messages of users, which follows from its other limits.
  static func waitingMessages(_ byteCount: Int) -> NamedLimit {
    NamedLimit(name: "waiting-message-bytes", value: Int64(byteCount))
  }

  private static func make(_ name: String, _ value: Int) -> NamedLimit {
    NamedLimit(name: name, value: Int64(max(0, value)), setting: "--max-\(name)")
  }
}
