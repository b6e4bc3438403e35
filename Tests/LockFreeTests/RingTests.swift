import LockFree
import Testing

/// Small rings meet every border case; 10 is one that is not a power of two.
let ringCapacities = [0, 1, 2, 3, 10]
let overflowPolicies = [OverflowPolicy.dropNewest, .dropOldest]

@Suite(.timeLimit(.minutes(10))) struct RingTests {
  @Test("elements leave a ring in the order of their arrival", arguments: ringCapacities)
  func firstInFirstOut(capacity: Int) {
    let ring = Ring<Int>(capacity: capacity, initial: -1)
    var producer = ring.takeProducer()
    var consumer = ring.takeConsumer()
    var sent = 0
    var received: [Int] = []
    for round in 0..<50 {
      for _ in 0..<min(capacity, round % 4) {
        let accepted = producer.push(sent)
        #expect(accepted)
        sent += 1
      }
      while let element = consumer.pop() { received.append(element) }
    }
    #expect(received == Array(0..<sent))
    #expect(sent > 0 || capacity == 0)
    #expect(ring.droppedCount == 0)
  }

  @Test("a ring takes exactly its capacity, then is full; emptied, it is empty", arguments: ringCapacities)
  func fullAndEmpty(capacity: Int) {
    let ring = Ring<Int>(capacity: capacity, initial: 0)
    #expect(ring.capacity == capacity)
    var producer = ring.takeProducer()
    var consumer = ring.takeConsumer()
    // More rounds than positions, so that fullness is met at every place where a ring can be full.
    for _ in 0..<(2 * capacity + 2) {
      let empty = consumer.pop()
      #expect(empty == nil)
      for index in 0..<capacity {
        let free = producer.freeCount
        #expect(free == capacity - index)
        let accepted = producer.push(index)
        #expect(accepted)
        let readable = consumer.readableCount
        #expect(readable == index + 1)
      }
      let refused = producer.push(-1)
      #expect(!refused)
      for index in 0..<capacity {
        let element = consumer.pop()
        #expect(element == index)
      }
      // One slot further, so that the next round begins elsewhere.
      if capacity > 0 {
        _ = producer.push(0)
        _ = consumer.pop()
      }
    }
    #expect(ring.droppedCount == 2 * capacity + 2)
  }

  @Test("a slot can be filled and read in place", arguments: ringCapacities.filter { $0 > 0 })
  func inPlace(capacity: Int) throws {
    let ring = Ring<Int>(capacity: capacity, initial: 7)
    var producer = ring.takeProducer()
    var consumer = ring.takeConsumer()
    for value in 0..<25 {
      let before = consumer.peek()
      #expect(before == nil)
      let reserved = producer.reserve()
      let slot = try #require(reserved)
      slot.pointee = value
      let uncommitted = consumer.peek()
      #expect(uncommitted == nil)
      producer.commit(1)
      let peeked = consumer.peek()
      let seen = try #require(peeked)
      #expect(seen.pointee == value)
      #expect(seen == slot)
      consumer.release(1)
    }
  }

  @Test("the consumer sees the finish and can read the remaining elements", arguments: ringCapacities)
  func finish(capacity: Int) {
    let ring = Ring<Int>(capacity: capacity, initial: 0)
    var producer = ring.takeProducer()
    var consumer = ring.takeConsumer()
    for value in 0..<capacity { _ = producer.push(value) }
    let finishedBefore = consumer.isFinished
    #expect(!finishedBefore)
    producer.finish()
    let finishedAfter = consumer.isFinished
    #expect(finishedAfter)
    for value in 0..<capacity {
      let element = consumer.pop()
      #expect(element == value)
    }
    let last = consumer.pop()
    #expect(last == nil)
  }

  @Test("prepared slots keep their contents, and a half keeps their owner alive")
  func preparedSlots() {
    weak var weakOwner: Owner?
    var halves: Halves?
    do {
      let owner = Owner()
      weakOwner = owner
      let ring = Ring<Int>(capacity: 3, policy: .dropNewest, keepAlive: owner) { 100 + $0 }
      halves = Halves(producer: ring.takeProducer())
    }
    #expect(weakOwner != nil)
    for expected in 100..<103 {
      #expect(halves?.producer.reserve()?.pointee == expected)
      halves?.producer.commit(1)
    }
    halves = nil
    #expect(weakOwner == nil)
  }

  @Test("the producer can be taken once only")
  func oneProducer() async {
    await #expect(processExitsWith: .failure) {
      let ring = Ring<Int>(capacity: 1, initial: 0)
      _ = ring.takeProducer()
      _ = ring.takeProducer()
    }
  }

  @Test("the consumer can be taken once only")
  func oneConsumer() async {
    await #expect(processExitsWith: .failure) {
      let ring = Ring<Int>(capacity: 1, initial: 0)
      _ = ring.takeConsumer()
      _ = ring.takeConsumer()
    }
  }

  @Test("a negative capacity traps")
  func negativeCapacity() async {
    await #expect(processExitsWith: .failure) { _ = Ring<Int>(capacity: -1, initial: 0) }
  }

  private final class Owner {}

  private final class Halves {
    var producer: RingProducer<Int>

    init(producer: consuming RingProducer<Int>) { self.producer = producer }
  }
}
