import Glibc
import LockFree
import TestSupport
import Testing

/// Rings between two real threads. Under the thread sanitizer these also show that no slot is raced for.
@Suite(.timeLimit(.minutes(10))) struct RingThreadTests {
  private static let elementCount = 100_000

  @Test("100,000 single elements pass through 3 slots in order and complete")
  func oneByOne() {
    let ring = Ring<Int>(capacity: 3, initial: -1)
    let producer = ThreadOwned(ring.takeProducer())
    let consumer = ThreadOwned(ring.takeConsumer())
    let received = ThreadOwned<[Int]>([])
    let deadline = Deadline()
    runThreads(
      {
        for value in 0..<Self.elementCount {
          while producer.value.freeCount == 0, deadline.isAhead { sched_yield() }
          _ = producer.value.push(value)
        }
        producer.value.finish()
      },
      {
        while deadline.isAhead {
          // Whether it has finished is asked first: nothing can come between that answer and an empty ring.
          let isFinished = consumer.value.isFinished
          if let element = consumer.value.pop() {
            received.value.append(element)
          } else if isFinished {
            return
          } else {
            sched_yield()
          }
        }
      })
    #expect(received.value == Array(0..<Self.elementCount))
    #expect(ring.droppedCount == 0)
  }

  @Test("100,000 elements pass through a small ring in regions, in order", arguments: [1, 2, 3, 10])
  func inRegions(capacity: Int) {
    let ring = Ring<Int>(capacity: capacity, initial: -1)
    let producer = ThreadOwned(ring.takeProducer())
    let consumer = ThreadOwned(ring.takeConsumer())
    let received = ThreadOwned<[Int]>([])
    let deadline = Deadline()
    runThreads(
      {
        var next = 0
        while next < Self.elementCount, deadline.isAhead {
          let region = producer.value.reserve(upTo: min(1 + next % (capacity + 1), Self.elementCount - next))
          for piece in [region.first, region.second] {
            for index in piece.indices {
              piece[index] = next
              next += 1
            }
          }
          producer.value.commit(region.count)
          if region.count == 0 { sched_yield() }
        }
      },
      {
        while received.value.count < Self.elementCount, deadline.isAhead {
          let region = consumer.value.peek(upTo: 1 + received.value.count % (capacity + 1))
          received.value += region.first
          received.value += region.second
          consumer.value.release(region.count)
          if region.count == 0 { sched_yield() }
        }
      })
    #expect(received.value == Array(0..<Self.elementCount))
    #expect(ring.droppedCount == 0)
  }

  @Test(
    "a ring that drops the oldest keeps the order and counts the others",
    arguments: [1, 2, 3, 10], [false, true])
  func dropOldest(capacity: Int, inRegions: Bool) {
    let ring = Ring<Wide>(capacity: capacity, policy: .dropOldest, initial: Wide(-1))
    let producer = ThreadOwned(ring.takeProducer())
    let consumer = ThreadOwned(ring.takeConsumer())
    let received = ThreadOwned<[Int]>([])
    let tornCount = ThreadOwned(0)
    let deadline = Deadline()
    runThreads(
      {
        for value in 0..<Self.elementCount { _ = producer.value.push(Wide(value)) }
        producer.value.finish()
      },
      {
        while deadline.isAhead {
          let isFinished = consumer.value.isFinished
          var count = 0
          if inRegions {
            let region = consumer.value.peek(upTo: capacity)
            for piece in [region.first, region.second] {
              for element in piece {
                if element.isTorn { tornCount.value += 1 }
                received.value.append(element.words.0)
              }
            }
            count = region.count
            consumer.value.release(count)
          } else if let element = consumer.value.pop() {
            if element.isTorn { tornCount.value += 1 }
            received.value.append(element.words.0)
            count = 1
          }
          if count == 0 {
            if isFinished { return }
            sched_yield()
          }
        }
      })
    #expect(tornCount.value == 0)
    let rising = zip(received.value, received.value.dropFirst()).allSatisfy { $0 < $1 }
    #expect(rising)
    #expect(received.value.count + ring.droppedCount == Self.elementCount)
    #expect(received.value.last.map { $0 < Self.elementCount } ?? true)
  }

  @Test("a consumer's counts never exceed the capacity while elements drop")
  func countsStayInRange() {
    let ring = Ring<Int>(capacity: 3, policy: .dropOldest, initial: 0)
    let producer = ThreadOwned(ring.takeProducer())
    let consumer = ThreadOwned(ring.takeConsumer())
    let excess = ThreadOwned(0)
    let deadline = Deadline()
    runThreads(
      {
        for value in 0..<1_000_000 { _ = producer.value.push(value) }
        producer.value.finish()
      },
      {
        while !consumer.value.isFinished, deadline.isAhead {
          if consumer.value.readableCount > 3 { excess.value += 1 }
        }
      })
    #expect(excess.value == 0)
  }
}

/// An element of several words: one that is overwritten while it is read shows different ones.
private struct Wide: BitwiseCopyable {
  var words: (Int, Int, Int, Int, Int, Int, Int, Int)

  init(_ value: Int) { words = (value, value, value, value, value, value, value, value) }

  var isTorn: Bool {
    words.1 != words.0 || words.2 != words.0 || words.3 != words.0 || words.4 != words.0 || words.5 != words.0
      || words.6 != words.0 || words.7 != words.0
  }
}
