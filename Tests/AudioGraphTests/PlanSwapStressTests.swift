import AudioGraph
import Glibc
import Synchronization
import TestSupport
import Testing

/// Thousands of random edits under way, measured at the sink.
///
/// The bound on the step between two samples: let a source have the peak p and the largest step s of its own, and
/// let it be heard with the gain g at most. A crossfade (1 - r) a + r b of two versions of it, where r moves by 1/N
/// a sample, has a step of at most g s + |b - a| / N. The versions differ in gain, by h, and in delay, by D samples:
/// |b - a| <= p h + g s D. Where an edit changes the delay of a path, the fade is one between different moments of
/// the signal, so that a fast signal's envelope may dip in it: p h + g s D says something for slow sines and
/// constants only, and those are what is used here.
///
/// Behind d crossfades in a row, of which all but one change the delay alone, the step is at most
///
///     g s + (p h + d g s D) / N
///
/// and is summed over all sources of the old and the new graph. With h = g where a source comes or goes this is
/// "its own step times the gain, plus peak times the change of gain over the samples of the ramp". A source that
/// moves between mixer and bus leaves on one way and comes on the other: both count.
@Suite(.timeLimit(.minutes(10))) struct PlanSwapStressTests {
  /// Roundings of sums of at most 8 terms of at most 0.1, on either side of the step.
  private static let rounding = 1e-6
  private static let samplesPerFrame = 480.0

  /// What one edit may do: the input of one node changes, and bus and mixer are realigned.
  private static func bound(from old: [RandomEdits.Path], to new: [RandomEdits.Path]) -> Double {
    let delay = 3 * Double(RandomEdits.longestDelay)
    func steps(_ source: SineSource, _ gain: Double, change: Double) -> Double {
      gain * source.largestStep + (source.peak * change + delay * gain * source.largestStep) / samplesPerFrame
    }
    var bound = rounding
    for path in old {
      guard let after = new.first(where: { $0.source === path.source }) else {
        bound += steps(path.source, path.gain, change: path.gain)
        continue
      }
      if after.goesThroughBus == path.goesThroughBus {
        bound += steps(path.source, max(path.gain, after.gain), change: abs(after.gain - path.gain))
      } else {
        bound += steps(path.source, path.gain, change: path.gain) + steps(path.source, after.gain, change: after.gain)
      }
    }
    for path in new where !old.contains(where: { $0.source === path.source }) {
      bound += steps(path.source, path.gain, change: path.gain)
    }
    return bound
  }

  @Test("no edit causes a larger step than its sources and fades explain", arguments: 1...8)
  func oneByOne(seed: Int) throws {
    let edits = try RandomEdits(seed: seed, maximumVoices: 4)
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(edits.graph)
    runner.run(ticks: 1)
    var largestShare = 0.0
    for edit in 0..<100 {
      let before = edits.paths
      try edits.edit()
      try runner.install(edits.graph)
      // Paths of at most four nodes: at most 6 frames of warm-up, one of crossfade, 6 more until every delay has
      // forgotten it.
      runner.run(ticks: 13)
      let step = Double(edits.meter.takeLargestStep())
      let bound = Self.bound(from: before, to: edits.paths)
      #expect(step <= bound, "seed \(seed), edit \(edit)")
      largestShare = max(largestShare, step / bound)
      runner.run(ticks: 1)
      let steady = edits.paths.reduce(Self.rounding) { $0 + $1.gain * $1.source.largestStep }
      #expect(Double(edits.meter.takeLargestStep()) <= steady, "seed \(seed), after edit \(edit)")
    }
    #expect(edits.meter.faultCount == 0)
    #expect(edits.unaffectedPath.faultCount == 0)
    #expect(edits.unaffectedPath.sampleCount == runner.tickCount * 480)
    // A bound that the signals come nowhere near would show nothing.
    #expect(largestShare > 0.5, "seed \(seed)")
  }

  @Test("thousands of edits between ticks cause no click, leak or lost plan", .shows("G3"))
  func whileTicking() throws {
    let seed = 20_261
    let editCount = LongRun.isWanted ? 10_000 : 2_000
    let maximumVoices = 3
    let edits = try RandomEdits(seed: seed, maximumVoices: maximumVoices)
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(edits.graph)
    let isDone = Flag()
    let deadline = Deadline(seconds: 300)
    let control = ThreadOwned(ControlState(edits: edits, generator: SeededGenerator(seed: UInt64(seed) &+ 1)))
    runThreads(
      {
        while !isDone.value.load(ordering: .acquiring), deadline.isAhead {
          runner.tick(timeNanoseconds: 0)
          sched_yield()
        }
      },
      {
        defer { isDone.value.store(true, ordering: .releasing) }
        do {
          for _ in 0..<editCount {
            try control.value.edits.edit()
            try runner.install(control.value.edits.graph)
            control.value.mostPlans = max(control.value.mostPlans, runner.collect())
            // From no tick at all, so that plans are replaced unheard, to enough for a change that waits for delays.
            let isHurried = Int.random(in: 0..<3, using: &control.value.generator) > 0
            let ticks = runner.tickCount + (isHurried ? 0 : Int.random(in: 1...6, using: &control.value.generator))
            while runner.tickCount < ticks, deadline.isAhead { sched_yield() }
          }
        } catch {
          control.value.failure = "\(error)"
        }
      })
    #expect(control.value.failure == nil)
    #expect(edits.meter.faultCount == 0)
    // What no edit concerns is bit-identical all the while.
    #expect(edits.unaffectedPath.faultCount == 0)
    #expect(edits.unaffectedPath.sampleCount == runner.tickCount * 480)
    // Several edits may be taken over at once: from one set of sources to a wholly different one, with a crossfade
    // at each of the six places of a path, each between any gains and any delays, and by both ways at once.
    let source = SineSource(peak: 0.1, hertz: 1, phase: 0, sampleRate: 48_000)
    let delay = 4 * Double(RandomEdits.longestDelay)
    let fades = 6 * (source.peak + delay * source.largestStep) / Self.samplesPerFrame
    let bound = Self.rounding + Double(2 * maximumVoices) * 2 * (source.largestStep + fades)
    #expect(Double(edits.meter.takeLargestStep()) <= bound, "seed \(seed)")
    // What runs, what is on its way home, what waits to be taken.
    #expect(control.value.mostPlans <= 3)
    let frequent = edits.counts.filter { $0.key != "nothing" && $0.value > editCount / 50 }
    #expect(frequent.count == 6, "\(edits.counts)")

    try edits.clear()
    let last = try edits.graph.add(SineSource(peak: 0.5, hertz: 0, phase: .pi / 2, sampleRate: 48_000), named: "last")
    try edits.graph.connect(last, to: try #require(edits.graph.nodes.first))
    try runner.install(edits.graph)
    runner.run(ticks: 30)
    #expect(edits.meter.lastSample == 0.5)
    #expect(runner.collect() == 1)
    #expect(edits.history.count > editCount / 4)
    let leaked = edits.history.filter { $0.node != nil }.count
    #expect(leaked == 0)
  }

  private struct ControlState {
    let edits: RandomEdits
    var generator: SeededGenerator
    var failure: String?
    var mostPlans = 0
  }

  private final class Flag: Sendable {
    let value = Atomic<Bool>(false)
  }
}
