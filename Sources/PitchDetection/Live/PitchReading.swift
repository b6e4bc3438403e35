/// An estimate and its tick.
struct PitchReading: BitwiseCopyable, Sendable {
  let tick: Int
  let estimate: PitchEstimate

  @_noLocks
  init(tick: Int, estimate: PitchEstimate) {
    self.tick = tick
    self.estimate = estimate
  }
}
