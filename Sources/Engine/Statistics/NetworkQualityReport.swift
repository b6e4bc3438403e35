/// How good the ways to and from one user are.
public struct NetworkQualityReport: Hashable, Sendable {
  /// The user; 0 for the local one.
  public let uid: UInt32
  /// The way of what the user sends. Of a remote user: as far as here.
  public let sent: NetworkQuality
  /// The way of what the user receives. Of a remote user: from here, as it tells us.
  public let received: NetworkQuality
}
