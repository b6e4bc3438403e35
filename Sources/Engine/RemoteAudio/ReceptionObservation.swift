/// What a tick has made of a receiver, if it is something new.
struct ReceptionObservation: Sendable, BitwiseCopyable {
  /// The tick in which it came to it.
  let tick: Int
  let phase: ReceptionPhase
  /// Whether packets come and none can be decoded.
  let isFailing: Bool
  /// The source that the stream has, if it is not the one that the last stream had.
  let newSource: UInt32?

  @_noLocks
  init(tick: Int, phase: ReceptionPhase, isFailing: Bool, newSource: UInt32? = nil) {
    self.tick = tick
    self.phase = phase
    self.isFailing = isFailing
    self.newSource = newSource
  }
}
