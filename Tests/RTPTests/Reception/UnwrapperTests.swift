import RTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct UnwrapperTests {
  @Test("sequence numbers are unwrapped with losses and duplicates at the edge")
  func sequenceNumbers() {
    var unwrapper = SequenceUnwrapper()
    let steps: [(UInt16, Int)] = [
      (65_533, 65_533), (65_535, 65_535), (65_534, 65_534), (65_535, 65_535), (1, 65_537), (0, 65_536),
      (65_532, 65_532),
      (30_000, 95_536), (60_000, 125_536), (10_000, 141_072),
    ]
    for (number, expected) in steps {
      let unwrapped = unwrapper.unwrap(number)
      #expect(unwrapped == expected)
    }
  }

  @Test("late packets before the first are numbered below it, even below 0")
  func beforeTheFirst() {
    var unwrapper = SequenceUnwrapper()
    let unwrapped = [0, 65_535, 65_530, 1].map { unwrapper.unwrap($0) }
    #expect(unwrapped == [0, -1, -6, 1])
  }

  @Test("a million numbers, shuffled within a hundred, are those that were sent", arguments: [1, 2, 3] as [UInt64])
  func shuffled(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var sequences = SequenceUnwrapper()
    // Passes 15 wraps.
    var pending = Array(0..<100)
    var next = 100
    var wrong = 0
    _ = sequences.unwrap(65_000)
    while !pending.isEmpty {
      let index = pending.remove(at: Int.random(in: 0..<pending.count, using: &random))
      if next < 1_000_000 {
        pending.append(next)
        next += 1
      }
      if sequences.unwrap(UInt16(truncatingIfNeeded: 65_000 + index)) != 65_000 + index { wrong += 1 }
    }
    #expect(wrong == 0, "seed \(seed)")
  }
}
