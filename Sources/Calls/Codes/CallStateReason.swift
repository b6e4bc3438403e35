/// Reason of a call's state, with the numbers of a commercial call interface.
///
/// 2, 3 and 16 were withdrawn there, 30 and 32 are those of video calls: none of them ever comes.
public enum CallStateReason: Int, Hashable, Sendable, CaseIterable {
  /// Without a reason.
  case none = 0
  /// The room could not be joined, or its connection has ended.
  case joinRTCFailed = 1
  /// A message was not acknowledged.
  case messageFailed = 4
  /// The local user has rejected the call.
  case localRejected = 5
  /// The other user has rejected the call.
  case remoteRejected = 6
  /// The other user has accepted the call.
  case remoteAccepted = 7
  /// The local user has accepted the call, or both users have called each other.
  case localAccepted = 8
  /// The local user has hung up.
  case localHangup = 9
  /// The other user has hung up, or has left the room.
  case remoteHangup = 10
  /// The local user has cancelled its call.
  case localCancelled = 11
  /// The other user has cancelled its call, or another session of the local user has answered it.
  case remoteCancelled = 12
  /// The first frame of the other user was decoded.
  case recvRemoteFirstFrame = 13
  /// The call was not accepted or connected in time.
  case callingTimeout = 14
  /// The caller calls again with another room.
  case cancelByCallerRecall = 15
  /// The other user has another call.
  case remoteCallBusy = 17
  /// The call was not accepted or connected in the other user's time.
  case remoteCallingTimeout = 18
  /// The local user makes an audio call.
  case localAudioCall = 31
  /// The other user makes an audio call.
  case remoteAudioCall = 33
}
