import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct DelayHistogramTests {
  private static let penalty: Float = 4_000e6

  /// What a delay costs by the definition: the wait, and the penalty for the share of packets that take longer.
  private func cost(_ delay: Int, _ packets: [Int], origin: Int) -> Double {
    // As in the histogram, a packet counts as the slowest of its millisecond.
    let late = packets.filter { ($0 - origin) / 1_000_000 * 1_000_000 + 1_000_000 > delay - origin }.count
    return Double(delay - origin) + Double(Self.penalty) * Double(late) / Double(packets.count)
  }

  @Test(
    "the chosen delay costs least of all possible ones, by counting", .shows("receive: delay"),
    arguments: 1...10)
  func cheapest(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var histogram = DelayHistogram()
    let scale = Double.random(in: 1...60, using: &random)
    var packets: [Int] = []
    for _ in 0..<400 {
      // The sum of three is bell-shaped with a tail.
      let milliseconds = (0..<3).reduce(0.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } * scale - 20
      packets.append(Int(milliseconds * 1e6))
      histogram.add(packets.last!, forgetting: 1, expected: 0, least: .min)
    }
    let phase = Int.random(in: 0..<10_000_000, using: &random)
    let choice = histogram.cheapest(phase: phase, current: phase, latePenalty: Self.penalty)
    #expect((choice.best - phase) % 10_000_000 == 0)
    let candidates = (-5...30).map { phase + 10_000_000 * $0 }
    // What has not been seen for long is believed less: a choice may be a little cheaper than by counting alone.
    let costs = candidates.map { cost($0, packets, origin: histogram.origin) }
    let chosen = cost(choice.best, packets, origin: histogram.origin)
    #expect(chosen <= costs.min()! * 1.02 + 2e6, "seed \(seed), scale \(scale)")
  }

  @Test(
    "late packets are waited for only if their share is worth the wait",
    arguments: [20, 50, 120, 300], [0.8, 1.25])
  func straggler(milliseconds: Int, worth: Double) {
    var histogram = DelayHistogram()
    // To be in time with them takes so much longer than with all others.
    let late = milliseconds * 1_000_000
    let count = Int((Double(Self.penalty) / Double(late) / worth).rounded())
    for number in 1...(3 * count) {
      histogram.add(number % count == 0 ? late : 1_000_000, forgetting: 1, expected: 0, least: .min)
    }
    let best = histogram.cheapest(phase: 0, current: 0, latePenalty: Self.penalty).best
    #expect(best == (worth > 1 ? late : 0) + 10_000_000)
  }

  @Test("a packet's weight decays by a power of the forgetting factor", arguments: [0.99, 0.9])
  func forgetting(left: Float) {
    var histogram = DelayHistogram()
    histogram.add(100_000_000, forgetting: left, expected: 0, least: .min)
    var (weight, total) = (1.0, 1.0)
    for number in 2...300 {
      histogram.add(0, forgetting: left, expected: 0, least: .min)
      weight *= Double(left)
      total = total * Double(left) + 1
      let bin = (100_000_000 - histogram.origin) / 1_000_000
      let share = Double(histogram.lateShare(bin))
      // What has not happened for n packets happens at most with a probability of 10 over n.
      let expected = min(weight / total, 10 / Double(number))
      #expect(abs(share - expected) <= 1e-4 * expected + 1e-9, "packet \(number)")
    }
  }

  @Test("packets that wander through frames add 10 ms to the slowest's delay")
  func wandering() {
    var histogram = DelayHistogram()
    for number in 0..<2_000 {
      histogram.add(5_300_000 + number % 20 * 1_000_000, forgetting: 0.999, expected: 100, least: .min)
    }
    let choice = histogram.cheapestWandering(current: 0, latePenalty: Self.penalty)
    #expect(choice.best >= 34_300_000 && choice.best <= 37_000_000, "\(choice.best)")
  }

  @Test("old delays are forgotten, faster when the whole distribution moves")
  func forgets() {
    var histogram = DelayHistogram()
    for _ in 0..<1_000 { histogram.add(150_000_000, forgetting: 0.999, expected: 100, least: .min) }
    let before = histogram.cheapest(phase: 0, current: 0, latePenalty: Self.penalty).best
    #expect(before == 160_000_000)
    var packets = 0
    while histogram.cheapest(phase: 0, current: 0, latePenalty: Self.penalty).best > 10_000_000 {
      histogram.add(1_000_000, forgetting: 0.999, expected: 100, least: .min)
      packets += 1
    }
    // By forgetting alone that would take 3300 packets.
    #expect(packets < 350, "\(packets)")
    #expect(packets > 50, "\(packets)")
  }

  @Test("packets faster than all before move the bins without a loss")
  func moves() {
    var histogram = DelayHistogram()
    for milliseconds in stride(from: 300, through: -300, by: -1) {
      histogram.add(milliseconds * 1_000_000, forgetting: 1, expected: 0, least: .min)
    }
    let longest = histogram.cheapest(phase: 0, current: 0, latePenalty: 1e12).best
    #expect(longest == 310_000_000)
    // So far that all older ones are longest.
    histogram.add(-5_000_000_000, forgetting: 1, expected: 0, least: .min)
    let share = histogram.lateShare(DelayHistogram.binCount - 1)
    #expect(share > 0.99)
  }

  @Test(
    "delays beyond the bins are followed, and shorten with faster packets",
    .shows("receive: spikes"))
  func longer() {
    var histogram = DelayHistogram()
    for _ in 0..<100 { histogram.add(0, forgetting: 1, expected: 0, least: .min) }
    // One straggler moves nothing.
    histogram.add(5_000_000_000, forgetting: 1, expected: 0, least: 0)
    let before = histogram.cheapest(phase: 0, current: 0, latePenalty: Self.penalty).best
    #expect(before <= 10_000_000)
    for _ in 0..<2_000 { histogram.add(5_000_000_000, forgetting: 0.99, expected: 0, least: 5_000_000_000) }
    let longer = histogram.cheapest(phase: 0, current: 0, latePenalty: Self.penalty).best
    #expect(longer >= 5_000_000_000 && longer <= 5_020_000_000, "\(longer)")
    for _ in 0..<2_000 { histogram.add(0, forgetting: 0.99, expected: 0, least: 0) }
    let after = histogram.cheapest(phase: 0, current: longer, latePenalty: Self.penalty).best
    #expect(after <= 10_000_000, "\(after)")
  }

  @Test("the histogram stays finite over a long stream")
  func endures() {
    var histogram = DelayHistogram()
    for number in 0..<200_000 { histogram.add(number % 30 * 1_000_000, forgetting: 0.99, expected: 50, least: .min) }
    let share = histogram.lateShare(0)
    let best = histogram.cheapest(phase: 0, current: 0, latePenalty: Self.penalty).best
    #expect(best == 30_000_000)
    #expect(share > 0.99 && share < 1.01)
    histogram.reset()
    let isEmpty = histogram.isEmpty
    #expect(isEmpty)
  }
}
