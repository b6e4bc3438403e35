/// What a tick has made of a receiver, if it is something new.
package struct ReceptionObservation: Sendable, BitwiseCopyable {
  /// The tick in which it came to it.
  package let tick: Int
  package let phase: ReceptionPhase
  /// Whether packets come and none can be decoded.
  package let isFailing: Bool
  /// The source that the stream has, if it is not the one that the last stream had.
  package let newSource: UInt32?

  @_noLocks
  init(tick: Int, phase: ReceptionPhase, isFailing: Bool, newSource: UInt32? = nil) {
    self.tick = tick
    self.phase = phase
    self.isFailing = isFailing
    self.newSource = newSource
  }
}
