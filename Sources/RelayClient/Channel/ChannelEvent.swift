public import Signalling

/// Event of a channel, in the order in which things happen. More events will come: give a `switch` a `default`.
public enum ChannelEvent: Hashable, Sendable {
  /// The connection has another state, or the same one for another reason.
  case stateChanged(ConnectionState, ConnectionReason)
  /// The channel is joined; the time counts from the join call.
  case joined(uid: UInt32, account: UserAccount?, elapsedMilliseconds: Int)
  /// The channel is joined again after a loss; the time counts from the join call.
  case rejoined(uid: UInt32, elapsedMilliseconds: Int)
  /// The channel was left.
  case left
  /// The relay has not been reached for 10 s; attempts continue.
  case connectionLost
  /// A user has joined, or was there before; the time counts from the join call.
  case userJoined(ChannelUser, elapsedMilliseconds: Int)
  /// A user with an account has this uid: a remote one that has joined, or the local one if its uid was another's.
  case userInfoUpdated(uid: UInt32, account: UserAccount)
  /// A user is not in the channel any more.
  case userLeft(uid: UInt32, OfflineReason)
  /// A user has muted its audio, or sends it again.
  case userMuted(uid: UInt32, Bool)
  /// A user starts or stops to send music with its audio.
  case userMusic(uid: UInt32, Bool)
  /// A user starts or stops to publish.
  case userPublishes(uid: UInt32, Bool)
  /// A user's packets to this listener have another SSRC; nil: none come.
  case userSource(uid: UInt32, ssrc: UInt32?)
  /// SSRC to publish with has changed; nil: this user must not publish.
  case ownSource(ssrc: UInt32?)
  /// The first packet since the start of publishing was sent; the time counts from the join call.
  case published(elapsedMilliseconds: Int)
  /// The local stream has another state; the time counts from the state before it.
  case publishStateChanged(old: PublishState, new: PublishState, elapsedMilliseconds: Int)
  /// A user's stream has another state here; the time counts from the state before it.
  case subscribeStateChanged(uid: UInt32, old: SubscribeState, new: SubscribeState, elapsedMilliseconds: Int)
  /// The relay forwards the packets of these users only, the loudest ones; nil: those of all users.
  case speakersChanged([UInt32]?)
  /// A message of a user's data stream.
  case streamMessage(uid: UInt32, streamID: Int, [UInt8])
  /// Messages of a user's data stream that have not come in time, and the number of later ones that waited for them.
  case streamMessageError(uid: UInt32, streamID: Int, missed: Int, cached: Int)
  /// The relay to other channels has another state, or the same one for another reason.
  case mediaRelayStateChanged(ChannelMediaRelayState, ChannelMediaRelayError)
  /// An event of the relay to other channels.
  case mediaRelayEvent(ChannelMediaRelayEvent)
  /// The local user is announced in another channel, under this uid.
  case mediaRelayStarted(channel: ChannelName, uid: UInt32)
  /// Another channel gets no more audio; the others stay. A stop and the end of the own channel end all without it.
  case mediaRelayEnded(channel: ChannelName, ChannelError)
  /// The token expires after this time.
  case tokenWillExpire(milliseconds: Int)
  /// The token has expired: a new one is needed.
  case tokenRequested
  /// The token was renewed, and expires after this time.
  case tokenRenewed(milliseconds: Int)
  /// The route to the relay has another kind of network.
  case networkTypeChanged(NetworkType)
  /// The role, or the latency level of the audience, has changed.
  case roleChanged(old: ClientRole, new: ClientRole, ClientRoleOptions)
  /// The role could not be changed.
  case roleChangeFailed(RoleChangeFailure, current: ClientRole)
  /// The relay did not answer in time; attempts continue.
  case timedOut
  /// The connection has failed for good.
  case failed(ChannelError)
  /// The relay has granted a request.
  case granted(request: UInt32)
  /// The relay has refused a request, or the connection was lost before its answer.
  case refused(request: UInt32, ChannelError)
  /// The relay has answered a diagnosis.
  case diagnosed(request: UInt32, [DiagnosisFinding])
}
