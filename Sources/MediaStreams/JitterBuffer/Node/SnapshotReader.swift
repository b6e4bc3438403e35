import AudioGraph

/// Reports of a receiver's node, for other threads; see `SnapshotWriter`.
///
/// Thread: any; one call of a kind at a time gets in.
final class SnapshotReader: Sendable {
  private let newest: Guarded<LatestValueReader<JitterBufferSnapshot>>
  private let periodic: Guarded<LatestValueReader<PeriodicReport>>
  private let observations: Guarded<RingConsumer<ReceptionObservation>>

  /// Takes the readers; traps if they are taken already.
  init(_ channel: SnapshotChannel) {
    newest = Guarded(channel.newest.takeReader())
    periodic = Guarded(channel.periodic.takeReader())
    observations = Guarded(channel.observations.takeConsumer())
  }

  /// Report as of the newest tick.
  var latestSnapshot: JitterBufferSnapshot { newest.withLock { $0.read() } }

  /// Returns the report after `count` ticks; nil if there is none, or a newer one already.
  func report(afterTicks count: Int) -> JitterBufferSnapshot? {
    periodic.withLock { periodic in
      let report = periodic.read()
      return report.tickCount == count ? report.report : nil
    }
  }

  /// Takes the oldest observation from before a tick.
  func nextObservation(beforeTick tick: Int) -> ReceptionObservation? {
    observations.withLock { observations in
      guard let observation = observations.peek()?.pointee, observation.tick < tick else {
        observations.release(0)
        return nil
      }
      observations.release(1)
      return observation
    }
  }
}
