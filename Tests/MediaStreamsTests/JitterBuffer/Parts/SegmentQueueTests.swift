import AudioGraph
import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct SegmentQueueTests {
  /// A sample as the queue should know it.
  private struct Sample: Equatable {
    let arrival: Int
    let timestamp: UInt32?
    let isDecoded: Bool

    init(_ segment: PlayoutSegment) {
      (arrival, timestamp) = (segment.arrival, segment.timestamp)
      if case .decoded = segment.provenance { isDecoded = true } else { isDecoded = false }
    }
  }

  @Test("samples keep their order and origin, however they are cut", arguments: 1...5)
  func likeAList(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var queue = SegmentQueue()
    var expected: [Sample] = []
    var segments = 0
    for number in 0..<2_000 {
      if segments < 100, Bool.random(using: &random) {
        let segment = PlayoutSegment(
          count: Int.random(in: 0...30, using: &random), arrival: number / 3, timestamp: number % 4 == 0 ? nil : 7,
          provenance: number % 5 == 0 ? .concealed : .decoded)
        queue.append(segment)
        segments += 1
        expected += [Sample](repeating: Sample(segment), count: segment.count)
      } else {
        let limit = Int.random(in: 0...40, using: &random)
        guard let taken = queue.take(upTo: limit) else {
          #expect(expected.isEmpty || limit == 0)
          continue
        }
        #expect(taken.count >= 1 && taken.count <= limit)
        let came = [Sample](repeating: Sample(taken), count: taken.count)
        #expect(Array(expected.prefix(taken.count)) == came, "seed \(seed)")
        expected.removeFirst(min(expected.count, taken.count))
        segments = expected.count
      }
    }
  }

  @Test("a full queue keeps count of its samples")
  func full() {
    var queue = SegmentQueue()
    for number in 0..<1_000 { queue.append(PlayoutSegment(count: 3, arrival: number, provenance: .decoded)) }
    var total = 0
    while let taken = queue.take(upTo: 100) { total += taken.count }
    #expect(total == 3_000)
    let front = queue.front
    #expect(front == nil)
  }

  @Test("the oldest segment grows, and an empty queue does not")
  func grows() {
    var queue = SegmentQueue()
    queue.growFront(by: 5)
    let nothing = queue.take(upTo: 10)
    #expect(nothing == nil)
    queue.append(PlayoutSegment(count: 2, arrival: 1, provenance: .decoded))
    queue.append(PlayoutSegment(count: 2, arrival: 2, provenance: .decoded))
    queue.growFront(by: 5)
    let first = queue.take(upTo: 10)
    #expect(first?.count == 7 && first?.arrival == 1)
  }
}
