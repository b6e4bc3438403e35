import AudioGraph

/// Channel between the node of a receiver and other threads.
struct SnapshotChannel {
  let newest: LatestValue<JitterBufferSnapshot>
  let periodic: LatestValue<PeriodicReport>
  let observations: Ring<ReceptionObservation>

  /// Changes that may wait to be taken. If there are more, the newest one is reported as soon as a slot is free.
  private static let capacity = 32

  init(initial: JitterBufferSnapshot) {
    newest = LatestValue(initial)
    periodic = LatestValue(PeriodicReport(tickCount: -1, report: initial))
    observations = Ring(
      capacity: Self.capacity, initial: ReceptionObservation(tick: 0, phase: .none, isFailing: false))
  }
}
