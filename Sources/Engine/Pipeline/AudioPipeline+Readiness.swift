import AudioGraph
import FrameObservers
import Synchronization

/// The wait of a lossless run before each tick.
extension AudioPipeline {
  /// Waits until the next tick can run.
  ///
  /// - Parameters:
  ///   - interval: Milliseconds between two checks. A source that is full rings; samples of a slow source, such as a
  ///     pipe, are found by checking.
  ///   - shouldStop: Called at every check that finds the tick not ready; true ends the wait.
  /// - Returns: False if no tick follows, or the wait was ended.
  func waitUntilReady(lookingEveryMilliseconds interval: Int, orStop shouldStop: () -> Bool) -> Bool {
    if core.run.foreseenTicks > 0, core.run.edits.load(ordering: .relaxed) == core.run.foreseenEdits {
      core.run.foreseenTicks -= 1
      return true
    }
    while true {
      switch readiness(index: core.tickCount) {
      case .ended: return false
      case .ready(let ticks):
        core.run.foreseenTicks = ticks - 1
        return true
      case .waiting:
        deliverEvents()
        bell.wait(atMostMilliseconds: interval)
        if shouldStop() { return false }
      }
    }
  }

  private enum Readiness {
    /// Ready for this number of ticks, unless something is changed meanwhile.
    case ready(ticks: Int)
    case waiting
    case ended
  }

  /// Checks every source, sink and asynchronous observer; requests more from those that delay the next tick.
  private func readiness(index: Int) -> Readiness {
    lock.withLock { _ in
      core.run.foreseenEdits = core.run.edits.load(ordering: .relaxed)
      // Other consumers of frames are checked each time.
      var ticks = !core.hub.hasRoom() ? 0 : core.hub.isWaitedFor ? 1 : Int.max
      var isExhausted = true
      var end = core.run.isEndless ? nil : max(sounds.lastEnd, sources.departedEnd)
      for entry in sources.present {
        let source = entry.source
        let ready = source.readyTicks
        if ready == 0 { source.requestMore() }
        ticks = min(ticks, ready)
        isExhausted = isExhausted && source.isExhausted
        if let position = source.endPosition.map({ entry.begin + $0 }), let longest = end {
          end = max(longest, position)
        } else {
          end = nil
        }
      }
      for sink in sinks {
        let ready = sink.readyTicks
        if ready == 0 { sink.requestCapacity() }
        ticks = min(ticks, ready)
      }
      ticks = min(ticks, recording.readyTicks)
      if let end {
        core.knownEnd.store(end)
        // Changes during the run may have added to the latency.
        let latency = core.listenerLatency
        if isExhausted, end == 0 || index >= core.schedule.frameCount(holding: end + latency) { return .ended }
      }
      // The end is checked at each tick once nothing else delays the run.
      if isExhausted { ticks = min(ticks, 1) }
      return ticks > 0 ? .ready(ticks: ticks) : .waiting
    }
  }
}
