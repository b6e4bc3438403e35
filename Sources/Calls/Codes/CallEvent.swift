/// Event of a call, with the numbers of a commercial call interface.
///
/// 7, 102 and 115 were withdrawn there, 119, 120, 140 and 142 are those of video calls: none of them ever comes.
public enum CallEvent: Int, Hashable, Sendable, CaseIterable {
  /// Without a meaning; never comes.
  case none = 0
  /// The interface was deinitialized.
  case deinitialize = 1
  /// The call was not accepted or connected in time.
  case callingTimeout = 3
  /// The call was not accepted or connected in the other user's time.
  case remoteCallingTimeout = 4
  /// The room is joined.
  case joinRTCSucceeded = 5
  /// A call of the interface does not fit the state. The reason names the call and the state.
  case stateMismatch = 9
  /// The join of the room begins.
  case joinRTCStart = 10
  /// The other user, or the broker, has the call.
  case remoteUserRecvCall = 99
  /// The local user has rejected the call.
  case localRejected = 100
  /// The other user has rejected the call.
  case remoteRejected = 101
  /// The other user has accepted the call.
  case remoteAccepted = 103
  /// The local user has accepted the call.
  case localAccepted = 104
  /// The local user has hung up.
  case localHangup = 105
  /// The other user has hung up.
  case remoteHangup = 106
  /// The other user is in the room.
  case remoteJoined = 107
  /// The other user has left the room; the reason is the number of an `OfflineReason`.
  case remoteLeft = 108
  /// The local user has cancelled its call.
  case localCancelled = 109
  /// The other user has cancelled its call, or another session of the local user has answered it.
  case remoteCancelled = 110
  /// The local user is in the room.
  case localJoined = 111
  /// The local user has left the room.
  case localLeft = 112
  /// The first frame of the other user was decoded.
  case recvRemoteFirstFrame = 113
  /// The other user has another call.
  case remoteCallBusy = 117
  /// The first frame of the local user was sent.
  case publishFirstLocalAudioFrame = 130
  /// The local user makes an audio call.
  case localAudioCall = 141
  /// The other user makes an audio call.
  case remoteAudioCall = 143
}
