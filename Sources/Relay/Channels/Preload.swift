import Signalling

/// A media connection that waits for the join of its user: without a member, and without packets.
final class Preload: TimedObject {
  /// Preloads of a session; a further one ends the oldest.
  static let largestCount = 20

  let channel: ChannelName
  let user: UserIdentity
  let profile: ChannelProfile
  unowned let session: Session
  /// Forwards the packets of the channel.
  let forwarder: Forwarder
  private let heldPeer: MediaPeer
  /// The preload's own token, or that of the session at the time of the request.
  let grant: TokenGrant

  init(
    _ request: PreloadRequest, _ session: Session, _ grant: TokenGrant, _ forwarder: Forwarder, _ peer: MediaPeer
  ) {
    channel = request.channel
    user = request.user
    profile = request.profile
    self.session = session
    self.grant = grant
    self.forwarder = forwarder
    heldPeer = peer
  }

  /// The connection, of which the signalling takes hold.
  var peer: MediaPeer {
    forwarder.enter()
    return heldPeer
  }

  /// Whether a join may take the connection over.
  func fits(_ request: JoinRequest, _ grant: TokenGrant) -> Bool {
    channel == request.channel && user == request.user && profile == request.profile
      && (!profile.hasRoles || request.role == .audience) && self.grant.text == grant.text
  }
}
