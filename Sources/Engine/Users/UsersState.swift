import AudioGraph
import Effects
import FrameObservers

/// The users of a pipeline, the local one among them, and their nodes in the graph.
///
/// Other features read the users to find the paths that they connect to. Every change is part of an edit.
///
/// Thread: control, under the pipeline's lock.
final class UsersState {
  let core: PipelineCore
  var remote: [UserKey: RemoteUser] = [:]
  /// Keys of `remote`, in the order in which the users came.
  var order: [UserKey] = []
  /// Nil until the local source is set.
  var local: LocalUser?
  /// Whether music takes the place of the local voice.
  var isVoiceReplaced = false
  /// The newest value of `enableAudio`.
  var isAudioEnabled = true
  /// The newest value of `muteAllRemoteAudioStreams`.
  var isEveryRemoteMuted = false

  init(_ core: PipelineCore) { self.core = core }

  /// Key of a user in the pipeline's own channel.
  func key(_ uid: UInt32) -> UserKey { UserKey(channelID: core.options.channelID, uid: uid) }

  /// Key of a user; nil: in the pipeline's own channel.
  func key(_ uid: UInt32, channelID: String?) -> UserKey {
    UserKey(channelID: channelID ?? core.options.channelID, uid: uid)
  }

  /// The user, which must be there.
  func user(_ key: UserKey) throws(EngineError) -> RemoteUser {
    guard let user = remote[key] else {
      throw EngineError(.invalidArgument, "there is no user \(key.uid) here; add it first")
    }
    return user
  }

  /// A user of the pipeline's own channel whose uplink runs here.
  func speaker(_ uid: UInt32) throws(EngineError) -> RemoteUser {
    let user = try user(key(uid))
    guard user.hasUplink else {
      throw EngineError(.invalidArgument, "there is no user \(uid) here; add it first")
    }
    return user
  }

  /// The local user, whose source must be set.
  func localUser() throws(EngineError) -> LocalUser {
    guard let local else { throw EngineError(.notReady, "there is no local source; set one first") }
    return local
  }

  /// Connects every user as `isAudioEnabled` and the mutes say.
  func reconcile() throws {
    for key in order { try reconcile(key) }
    try reconcileLocal()
  }
}
