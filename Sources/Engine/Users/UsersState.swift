import AudioGraph
import Effects
import FrameObservers

/// The users of a pipeline, including the local one, and their nodes in the graph.
///
/// Other features read the users to find the paths that they connect to. Every change is part of an edit.
///
/// Thread: control, under the pipeline's lock.
final class UsersState {
  let core: PipelineCore
  var remote: [UserKey: RemoteUser] = [:]
  /// Keys of `remote`, in the order in which the users came.
  var order: [UserKey] = []
  /// The local user; nil until the local source is set.
  var local: LocalUser?
  /// Number of local sources ever added, for unique names.
  var localSourceCount = 0
  /// Whether music takes the place of the local voice.
  var isVoiceReplaced = false
  /// Whether audio is enabled, by the newest `enableAudio`.
  var isAudioEnabled = true
  /// Wishes of engines for the local voice.
  var owners = ChannelOwners()
  /// News of the local user that engines have.
  private var knownNews = LocalNews()
  /// Calls at each change of the local user that engines follow, by their owners.
  let localHandlers = Guarded<[ObjectIdentifier: @Sendable () -> Void]>([:])
  /// Whether every remote user is muted, by the newest `muteAllRemoteAudioStreams`.
  var isEveryRemoteMuted = false

  init(_ core: PipelineCore) { self.core = core }

  /// Present news of the local user.
  var localNews: LocalNews {
    LocalNews(isMuted: local?.isMuted == true, channelCount: (local?.sentChannelCount).map { min(2, $0) })
  }

  /// Returns whether the local user has changed for engines since the last call.
  func takeLocalNews() -> Bool {
    let news = localNews
    defer { knownNews = news }
    return knownNews != news
  }

  /// Returns the key of a user in the pipeline's own channel.
  func key(_ uid: UInt32) -> UserKey { UserKey(channelID: core.options.channelID, uid: uid) }

  /// Returns the key of a user; nil: in the pipeline's own channel, or else in the main channel of an engine.
  func key(_ uid: UInt32, channelID: String?) -> UserKey {
    if let channelID { return UserKey(channelID: channelID, uid: uid) }
    let own = key(uid)
    guard remote[own] == nil, let main = core.mainChannelID.withLock({ $0 }) else { return own }
    return UserKey(channelID: main, uid: uid)
  }

  /// Returns the user, which must be there.
  func user(_ key: UserKey) throws(EngineError) -> RemoteUser {
    guard let user = remote[key] else {
      throw EngineError(.invalidArgument, "the pipeline has no user \(key.uid); add it first")
    }
    return user
  }

  /// Returns a user of the pipeline's own channel that has an uplink here.
  func speaker(_ uid: UInt32) throws(EngineError) -> RemoteUser {
    let user = try user(key(uid))
    guard user.hasUplink else {
      throw EngineError(.invalidArgument, "the pipeline has no user \(uid); add it first")
    }
    return user
  }

  /// Returns the local user; its source must be set.
  func localUser() throws(EngineError) -> LocalUser {
    guard let local else { throw EngineError(.notReady, "the pipeline has no local source; set one first") }
    return local
  }

  /// Connects every user according to `isAudioEnabled` and the mutes.
  func reconcile() throws {
    for key in order { try reconcile(key) }
    try reconcileLocal()
  }
}
