import MediaStreams

/// State of one remote user's sound, with reasons, from the phases of its receiver and from mutes.
///
///     stopped ── first packet ──▶ starting ── first frame decoded ──▶ decoding ◀── a packet is played ── frozen
///        ▲                                                               └── 200 ms were concealed ─────▶┘
///        └── muted, or 15 s without a packet: from every state
///
/// A mute stops the sound in every state. The state after it has the reason of the mute that ended last. It comes at
/// once if sound is there, else with the first decoded frame. If the stream has ended meanwhile, it comes with the
/// first packet.
///
/// It has no clock: the caller knows the time. Each change is reported once.
struct RemoteAudioStateMachine {
  /// A change to report.
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
  /// Reason for the next state in which sound comes.
  private var nextReason = RemoteAudioReason.internal
  /// Whether the stream is an old one; its first packet is not expected any more.
  private var awaitsFrame = false

  /// Processes the phase of the receiver.
  ///
  /// - Returns: The changes, in order.
  mutating func observe(_ phase: ReceptionPhase, isFailing: Bool = false) -> [Change] {
    self.phase = phase
    self.isFailing = isFailing
    if case .none = phase { awaitsFrame = false }
    return settle()
  }

  /// Sets whether the listener has muted the user.
  ///
  /// - Returns: The changes, in order.
  mutating func setLocallyMuted(_ isMuted: Bool) -> [Change] {
    guard isMuted != isLocallyMuted else { return [] }
    isLocallyMuted = isMuted
    if isMuted { return stop(.localMuted) }
    awaitsFrame = phase != .none
    // Without a stream, the mute did not silence anything.
    if awaitsFrame { nextReason = .localUnmuted }
    return settle()
  }

  /// Sets whether the user has muted its stream.
  ///
  /// - Returns: The changes, in order.
  mutating func setRemotelyMuted(_ isMuted: Bool) -> [Change] {
    guard isMuted != isRemotelyMuted else { return [] }
    isRemotelyMuted = isMuted
    if isMuted { return stop(.remoteMuted) }
    awaitsFrame = phase != .none
    nextReason = .remoteUnmuted
    return settle()
  }

  /// Handles the user's departure.
  ///
  /// - Returns: The changes, in order.
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
