public import MediaStreams

/// Quality of the paths to and from one user.
public struct NetworkQualityReport: Hashable, Sendable {
  /// The user; 0 for the local one.
  public let uid: UInt32
  /// Channel of the user; empty for the local one.
  public let channelID: String
  /// Quality of the path of packets that the user sends; for a remote user, as far as here.
  public let sent: NetworkQuality
  /// Quality of the path of packets that the user receives; for a remote user, from here, as it reports.
  public let received: NetworkQuality

  /// Creates a report from its parts.
  package init(uid: UInt32, channelID: String = "", sent: NetworkQuality, received: NetworkQuality) {
    self.uid = uid
    self.channelID = channelID
    self.sent = sent
    self.received = received
  }
}
