import AudioGraph
import CountingAllocator
import Glibc
import Synchronization

/// Ticks on one thread, as fast as it can, while another changes the graph.
final class GateRun: Sendable {
  /// What the ticks did that they must not.
  struct Result {
    var ticks = 0
    var allocations = 0
    var bytes = 0
    var frees = 0
    /// The first few ticks that did.
    var firstFaults: [Int] = []
    var observerCalls = 0
  }

  /// Changes before anything counts: each library and each kind of change has then been through its first call.
  private static let warmUpEdits = 48
  private static let ticksPerEdit = 20

  private let options: GateOptions
  private let isCounting = Atomic<Bool>(false)
  private let isDone = Atomic<Bool>(false)
  private let result = Guarded(Result())

  init(_ options: GateOptions) { self.options = options }

  /// Thread: control; it makes the changes.
  func run() throws -> Result {
    let feeds = try GateFeeds()
    let calls = CallCount()
    let graph = try GateGraph(feeds, calls: calls, plant: options.plant)
    let runner = graph.runner
    let audio = try BackgroundThread(named: "audio") { [self] in tickUntilDone(runner, feeds) }
    defer {
      isDone.store(true, ordering: .releasing)
      audio.join()
      graph.finish()
    }
    for index in 0..<(Self.warmUpEdits + options.edits) {
      if index == Self.warmUpEdits { isCounting.store(true, ordering: .releasing) }
      try graph.edit(index)
      let next = runner.tickCount + Self.ticksPerEdit
      while runner.tickCount < next { sched_yield() }
    }
    isDone.store(true, ordering: .releasing)
    return result.withLock { result in
      result.observerCalls = calls.value
      return result
    }
  }

  private func tickUntilDone(_ runner: GraphRunner, _ feeds: GateFeeds) {
    var tick = 0
    while !isDone.load(ordering: .acquiring) {
      feeds.exchange(tick: tick)
      if isCounting.load(ordering: .acquiring) {
        counting_arm()
        realtime_enter()
        runner.tick(timeNanoseconds: tick * 10_000_000)
        realtime_exit()
        note(counting_disarm(), tick: tick)
      } else {
        runner.tick(timeNanoseconds: tick * 10_000_000)
      }
      tick += 1
    }
  }

  private func note(_ count: counting_result, tick: Int) {
    result.withLock { result in
      result.ticks += 1
      result.allocations += count.calls
      result.bytes += count.bytes
      result.frees += count.frees
      if count.calls + count.frees > 0, result.firstFaults.count < 5 { result.firstFaults.append(tick) }
    }
  }
}
