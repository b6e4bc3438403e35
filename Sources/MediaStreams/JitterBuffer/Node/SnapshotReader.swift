import AudioGraph

/// Where other threads find what a receiver's node has to say: see `SnapshotWriter`.
///
/// Thread: any; one call of a kind at a time gets in.
final class SnapshotReader: Sendable {
  private let newest: Guarded<LatestValueReader<JitterBufferSnapshot>>
  private let periodic: Guarded<LatestValueReader<PeriodicReport>>
  private let observations: Guarded<RingConsumer<ReceptionObservation>>

  /// Traps when they are taken twice.
  init(_ channel: SnapshotChannel) {
    newest = Guarded(channel.newest.takeReader())
    periodic = Guarded(channel.periodic.takeReader())
    observations = Guarded(channel.observations.takeConsumer())
  }

  /// As of the newest tick.
  var latestReportBlock: JitterBufferSnapshot { newest.withLock { $0.read() } }

  /// The report when so many ticks were over; nil where there is none, or a newer one already.
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
