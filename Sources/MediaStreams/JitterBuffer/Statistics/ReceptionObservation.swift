/// Change of a receiver in a tick.
package struct ReceptionObservation: Sendable, BitwiseCopyable {
  /// Number of the tick that brought the change.
  package let tick: Int
  package let phase: ReceptionPhase
  /// Whether packets come and none can be decoded.
  package let isFailing: Bool
  /// Source of the stream, if it differs from that of the last stream; else nil.
  package let newSource: UInt32?

  @_noLocks
  init(tick: Int, phase: ReceptionPhase, isFailing: Bool, newSource: UInt32? = nil) {
    self.tick = tick
    self.phase = phase
    self.isFailing = isFailing
    self.newSource = newSource
  }
}
