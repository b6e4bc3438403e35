/// Wishes of the engines that use a pipeline for its local voice; an engine may have none.
struct ChannelOwners {
  private var muted: [ObjectIdentifier: Bool] = [:]
  private var holding: [ObjectIdentifier: Bool] = [:]

  /// Whether the voice goes to no channel: each engine has muted it.
  var haveMuted: Bool { !muted.isEmpty && muted.values.allSatisfy { $0 } }

  /// Whether the microphone is closed: no engine has a channel any more.
  var holdMicrophone: Bool { !holding.isEmpty && holding.values.allSatisfy { $0 } }

  mutating func setMuted(_ isMuted: Bool?, by owner: AnyObject) { muted[ObjectIdentifier(owner)] = isMuted }

  mutating func setHolding(_ isHeld: Bool, by owner: AnyObject) { holding[ObjectIdentifier(owner)] = isHeld }

  mutating func remove(_ owner: AnyObject) {
    muted[ObjectIdentifier(owner)] = nil
    holding[ObjectIdentifier(owner)] = nil
  }
}
