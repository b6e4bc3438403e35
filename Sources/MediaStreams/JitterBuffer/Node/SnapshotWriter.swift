import AudioGraph

/// Publishes the reports of a receiver's node.
///
///     audio thread   each tick ──────── newest report ──▶ SnapshotReader   any thread
///                    every 2 s ──────── report of that tick ──▶
///                    when it is new ─── observation ──ring──▶
///
/// Thread: audio. Real-time: wait-free.
struct SnapshotWriter: ~Copyable {
  private var newest: LatestValueWriter<JitterBufferSnapshot>
  private var periodic: LatestValueWriter<PeriodicReport>
  private var observations: RingProducer<ReceptionObservation>
  private var watch = ReceptionWatch()
  /// Whether the ring had no free slot for a change.
  private var isBehind = false

  /// Takes the writers; traps if they are taken already.
  init(_ channel: SnapshotChannel) {
    newest = channel.newest.takeWriter()
    periodic = channel.periodic.takeWriter()
    observations = channel.observations.takeProducer()
  }

  /// Publishes the result of a tick.
  @_noLocks
  mutating func write(_ report: JitterBufferSnapshot, isMuted: Bool, tick: Tick) {
    newest.write(report)
    let isNew = watch.look(report, isMuted: isMuted, nowNanoseconds: tick.timeNanoseconds)
    if isNew || isBehind {
      isBehind = !observations.push(
        ReceptionObservation(
          tick: tick.index, phase: watch.phase, isFailing: watch.isFailing, newSource: watch.newSource))
      if !isBehind { watch.told() }
    }
    if StatisticsInterval.ends(afterTicks: tick.index &+ 1) {
      periodic.write(PeriodicReport(tickCount: tick.index &+ 1, report: report))
    }
  }
}
