import MediaStreams

/// What the sound of one remote user does, and why, from what its receiver has seen and who is muted.
///
///     stopped ── first packet ──▶ starting ── first frame decoded ──▶ decoding ◀── a packet is played ── frozen
///        ▲                                                               └── 200 ms had to be made up ──▶┘
///        └── muted, or 15 s without a packet: from every state
///
/// A mute stops whatever there is. What comes after it has the reason of the mute that ended last: at once where sound
/// is there, else with the first frame that is decoded, or with the first packet where the stream has ended meanwhile.
///
/// It has no time: who feeds it knows when. Each change is told once.
struct RemoteAudioStateMachine {
  /// Something that is to be told.
  struct Change: Hashable {
    let state: RemoteAudioState
    let reason: RemoteAudioReason

    init(_ state: RemoteAudioState, _ reason: RemoteAudioReason) {
      self.state = state
      self.reason = reason
    }
  }

  private(set) var state = RemoteAudioState.stopped
  private(set) var phase = ReceptionPhase.none
  private(set) var isLocallyMuted = false
  private(set) var isRemotelyMuted = false
  private var isFailing = false
  /// Why it will be that sound comes.
  private var nextReason = RemoteAudioReason.internal
  /// Whether the stream is an old one, whose first packet nobody waits for any more.
  private var awaitsFrame = false

  /// Takes in what the receiver has come to. Returns: what that changes, in order.
  mutating func observe(_ phase: ReceptionPhase, isFailing: Bool = false) -> [Change] {
    self.phase = phase
    self.isFailing = isFailing
    if case .none = phase { awaitsFrame = false }
    return settle()
  }

  /// Takes in whether the listener wants to hear the user. Returns: as `observe`.
  mutating func setLocallyMuted(_ isMuted: Bool) -> [Change] {
    guard isMuted != isLocallyMuted else { return [] }
    isLocallyMuted = isMuted
    if isMuted { return stop(.localMuted) }
    awaitsFrame = phase != .none
    // Where there is no stream, nothing was kept from being heard.
    if awaitsFrame { nextReason = .localUnmuted }
    return settle()
  }

  /// Takes in whether the user sends its stream. Returns: as `observe`.
  mutating func setRemotelyMuted(_ isMuted: Bool) -> [Change] {
    guard isMuted != isRemotelyMuted else { return [] }
    isRemotelyMuted = isMuted
    if isMuted { return stop(.remoteMuted) }
    awaitsFrame = phase != .none
    nextReason = .remoteUnmuted
    return settle()
  }

  /// The user is not there any more. Returns: as `observe`.
  mutating func leave() -> [Change] {
    phase = .none
    isFailing = false
    return stop(.offline)
  }

  private mutating func stop(_ reason: RemoteAudioReason) -> [Change] {
    nextReason = .internal
    guard state != .stopped else { return [] }
    state = .stopped
    return [Change(.stopped, reason)]
  }

  private mutating func settle() -> [Change] {
    var changes: [Change] = []
    while !isLocallyMuted, !isRemotelyMuted, let change = next() {
      state = change.state
      changes.append(change)
    }
    return changes
  }

  private mutating func next() -> Change? {
    switch (state, phase) {
    case (.stopped, _) where isFailing, (.starting, _) where isFailing, (.frozen, _) where isFailing:
      return Change(.failed, takeReason())
    case (.stopped, .decoded) where awaitsFrame: return Change(.decoding, takeReason())
    case (.stopped, .none): return nil
    case (.stopped, _): return awaitsFrame ? nil : Change(.starting, takeReason())
    case (.failed, .decoded): return Change(.decoding, .internal)
    case (.failed, .none): return isFailing ? nil : Change(.stopped, .offline)
    case (.failed, _): return nil
    case (_, .none): return Change(.stopped, .offline)
    case (.starting, .decoded): return Change(.decoding, .internal)
    case (.frozen, .decoded): return Change(.decoding, .recovery)
    case (.starting, .frozen), (.decoding, .frozen): return Change(.frozen, .congestion)
    case (.starting, .begun), (.decoding, _), (.frozen, _): return nil
    }
  }

  private mutating func takeReason() -> RemoteAudioReason {
    defer {
      nextReason = .internal
      awaitsFrame = false
    }
    return nextReason
  }
}
