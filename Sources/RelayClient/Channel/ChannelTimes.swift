import Signalling

/// Times of a connection, in nanoseconds.
enum ChannelTimes {
  /// Longest time without a packet to the relay.
  static let keepAlive = 500_000_000
  /// Silence of the relay after which the path is checked.
  static let check = 500_000_000
  /// Time between two checks of a silent path. Of the checks in 4 s one has an answer, even if a tenth is lost.
  static let checkInterval = 250_000_000
  /// Silence of the relay after which the connection counts as interrupted.
  static let interruption = 4_000_000_000
  /// Silence of the relay after which the connection is reported as lost.
  static let loss = 10_000_000_000
  /// Silence of the relay after which no further attempt follows.
  static let patience = 1_200_000_000_000
  /// Longest time for one step of signalling.
  static let signallingStep = 5_000_000_000
  /// Longest time for an answer while packets pass. TCP resends a message that a cut of 3 s has lost within 7 s.
  static let answer = 10_000_000_000
  /// Time after a join in which this machine's address may change without another join. Some networks send each packet
  /// from another address.
  static let settled = 5_000_000_000
  /// Longest time for the answer to `leave`.
  static let leave = 1_000_000_000
  /// Longest time for the answer to a change of the role.
  static let roleChange = 10_000_000_000
  /// Longest time for the answer to `diagnose` or `presence`.
  static let request = 5_000_000_000
  /// Longest time for connectivity checks and the DTLS handshake.
  static let transportStep = 10_000_000_000

  /// Longest drop time that counts: a day.
  private static let longestDropMilliseconds: Int64 = 86_400_000

  /// Silence after which a relay drops a user, and the time in which a user that a rejoin does not find may come back.
  /// An earlier relay does not name it.
  static func drop(_ answer: JoinedAnswer, _ profile: ChannelProfile) -> Int {
    Int(min(answer.dropMilliseconds ?? profile.standardDropMilliseconds, longestDropMilliseconds)) * 1_000_000
  }
}
