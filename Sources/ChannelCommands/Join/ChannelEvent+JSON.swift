package import Channels
package import JSON
import Signalling

extension ChannelEvent {
  /// Name of the event in lines of JSON: that of the delegate's method, if there is one.
  package var name: String {
    switch self {
    case .stateChanged: "connectionStateChanged"
    case .joined: "didJoinChannel"
    case .rejoined: "didRejoinChannel"
    case .left: "didLeaveChannel"
    case .connectionLost: "connectionDidLost"
    case .userJoined: "didJoinedOfUid"
    case .userLeft: "didOfflineOfUid"
    case .userMuted: "didAudioMuted"
    case .published: "firstLocalAudioFramePublished"
    case .publishStateChanged: "didAudioPublishStateChange"
    case .subscribeStateChanged: "didAudioSubscribeStateChange"
    case .tokenWillExpire: "tokenPrivilegeWillExpire"
    case .tokenRequested: "requestToken"
    case .roleChanged: "didClientRoleChanged"
    case .timedOut: "didOccurWarning"
    case .failed: "didOccurError"
    case .userPublishes: "userPublishes"
    case .userSource: "userSource"
    case .ownSource: "ownSource"
    case .tokenRenewed: "tokenRenewed"
    case .granted: "requestGranted"
    case .refused: "requestRefused"
    case .diagnosed: "diagnosed"
    }
  }

  /// Writes the fields of the event besides its name.
  package func writeFields(_ json: inout JSONWriter) {
    switch self {
    case .stateChanged(let state, let reason):
      json.field("state", state.rawValue)
      json.field("reason", reason.rawValue)
    case .joined(let uid, _, let elapsed), .rejoined(let uid, let elapsed):
      json.field("uid", Int(uid))
      json.field("elapsed_ms", elapsed)
    case .userJoined(let user, let elapsed):
      json.field("uid", Int(user.uid))
      json.field("elapsed_ms", elapsed)
    case .userLeft(let uid, let reason):
      json.field("uid", Int(uid))
      json.field("reason", reason.rawValue)
    case .userMuted(let uid, let isMuted):
      json.field("uid", Int(uid))
      json.field("muted", isMuted)
    case .published(let elapsed): json.field("elapsed_ms", elapsed)
    case .publishStateChanged(let old, let new, let elapsed):
      json.field("old", old.rawValue)
      json.field("new", new.rawValue)
      json.field("elapsed_ms", elapsed)
    case .subscribeStateChanged(let uid, let old, let new, let elapsed):
      json.field("uid", Int(uid))
      json.field("old", old.rawValue)
      json.field("new", new.rawValue)
      json.field("elapsed_ms", elapsed)
    case .userPublishes(let uid, let publishes):
      json.field("uid", Int(uid))
      json.field("publishes", publishes)
    case .userSource(let uid, let ssrc):
      json.field("uid", Int(uid))
      if let ssrc { json.field("ssrc", Int(ssrc)) }
    case .ownSource(let ssrc): if let ssrc { json.field("ssrc", Int(ssrc)) }
    case .tokenWillExpire(let milliseconds), .tokenRenewed(let milliseconds): json.field("milliseconds", milliseconds)
    case .roleChanged(let old, let new):
      json.field("old", old.rawValue)
      json.field("new", new.rawValue)
    case .timedOut: json.field("code", 106)
    case .failed(let error):
      json.field("code", -error.code.rawValue)
      json.field("message", error.message)
    case .refused(_, let error): json.field("message", error.message)
    case .left, .connectionLost, .tokenRequested, .granted, .diagnosed: break
    }
  }
}
