import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct ArrivalWindowTests {
  @Test("duplicates are known and missing packets counted, like in a set", arguments: 1...5)
  func likeSet(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var window = ArrivalWindow()
    var seen: Set<Int> = []
    var highest = 65_536
    for _ in 0..<20_000 {
      if Int.random(in: 0..<4, using: &random) > 0 { highest += Int.random(in: 0...5, using: &random) }
      let sequence = highest - Int.random(in: 0..<300, using: &random)
      let isNew = seen.insert(sequence).inserted
      let isTaken = window.insert(sequence)
      #expect(isTaken == isNew)
    }
    let first = seen.min()!
    let (unique, missing) = (window.uniqueCount, window.missingCount)
    #expect(unique == seen.count)
    #expect(missing == seen.max()! - first + 1 - seen.count)
  }

  @Test("a jump beyond the window forgets it, and older packets count as known")
  func jump() {
    var window = ArrivalWindow()
    let last = 1_000 + 3 * ArrivalWindow.span + 7
    let first = [1_000, last, 1_001].map { window.insert($0) }
    #expect(first == [true, true, false])
    let within = ((last - ArrivalWindow.span + 1)..<last).map { window.insert($0) }
    #expect(within.allSatisfy { $0 })
  }
}
