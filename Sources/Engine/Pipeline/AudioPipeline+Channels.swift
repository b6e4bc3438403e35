package import AudioGraph
import PushPull

/// The local voice while channels are joined.
extension AudioPipeline {
  /// Sets the main channel of an engine: its users need no name of a channel.
  package func setMainChannel(_ channelID: String) { core.mainChannelID.withLock { $0 = channelID } }

  /// Puts another source in the place of a remote user's. Its settings stay.
  package func replaceSource(
    of uid: UInt32, with source: any AudioSource, channelID: String
  ) throws(EngineError) {
    try edit("the source of user \(uid) cannot be replaced", call: "replaceSource") {
      try userStates.replaceSource(of: userStates.key(uid, channelID: channelID), with: source)
    }
  }

  /// Calls `handler` at each change of the local voice that channels follow: its mute by the program, and its number of
  /// channels. Thread: any; it must neither wait nor call the pipeline.
  package func onLocalChange(of owner: AnyObject, _ handler: @escaping @Sendable () -> Void) {
    userStates.localHandlers.withLock { $0[ObjectIdentifier(owner)] = handler }
  }

  /// Whether the program has muted the local voice.
  package var isLocalMuted: Bool { lock.withLock { _ in userStates.localNews.isMuted } }

  /// Stops or resumes sending the local voice on behalf of an engine: it ends once all engines have muted it, as with
  /// `local.setMuted`; nil for an engine without channels.
  package func setMutedByChannels(_ isMuted: Bool?, of owner: AnyObject) {
    change(owner) { $0.setMuted(isMuted, by: owner) }
  }

  /// Closes the device of the local source once no engine needs it, and opens it again.
  package func holdMicrophone(_ isHeld: Bool, of owner: AnyObject) {
    change(owner) { $0.setHolding(isHeld, by: owner) }
  }

  /// Forgets an engine.
  package func removeOwner(_ owner: AnyObject) {
    userStates.localHandlers.withLock { $0[ObjectIdentifier(owner)] = nil }
    change(owner) { $0.remove(owner) }
  }

  private func change(_ owner: AnyObject, _ body: (inout ChannelOwners) -> Void) {
    let hasMuteChanged = lock.withLock { _ in
      let old = userStates.owners
      body(&userStates.owners)
      if old.holdMicrophone != userStates.owners.holdMicrophone { devices.applyCapture() }
      return old.haveMuted != userStates.owners.haveMuted
    }
    if hasMuteChanged { try? edit("the local stream cannot be muted") { try userStates.reconcileLocal() } }
  }

  /// Calls the handlers of engines. Without the lock.
  func reportLocalChange() {
    for handler in userStates.localHandlers.withLock({ $0.values }) { handler() }
  }

  /// Whether a program pushes the local voice, and has not begun to.
  package var awaitsFirstPush: Bool {
    lock.withLock { _ in (userStates.local?.source as? PushSource).map { !$0.hasSamples } ?? false }
  }

  /// Channels of the local user's sent sound, 1 or 2; nil without a local user.
  package var localChannelCount: Int? { lock.withLock { _ in userStates.localNews.channelCount } }
}
