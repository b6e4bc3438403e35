import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct RecentTransitsTests {
  @Test("the typical transit is the mean of the middle half of the newest 16", arguments: 1...5)
  func middle(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var transits = RecentTransits()
    var all: [Int] = []
    for _ in 0..<100 {
      all.append(Int.random(in: -300_000_000...300_000_000, using: &random))
      transits.add(all.last!)
      let newest = all.suffix(16).sorted()
      let middle = newest[(newest.count / 4)..<(newest.count - newest.count / 4)]
      let expected = Double(middle.reduce(0, +)) / Double(middle.count)
      #expect(abs(Double(transits.typical) - expected) <= 1, "seed \(seed)")
    }
    let before = transits.typical
    transits.shift(by: -10_000_000)
    #expect(transits.typical == before - 10_000_000)
  }
}
