import LockFree
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RingOverflowTests {
  @Test("drop newest keeps the first elements and counts the others", arguments: ringCapacities)
  func dropNewest(capacity: Int) {
    let ring = Ring<Int>(capacity: capacity, policy: .dropNewest, initial: 0)
    var producer = ring.takeProducer()
    var consumer = ring.takeConsumer()
    for value in 0..<25 {
      let accepted = producer.push(value)
      #expect(accepted == (value < capacity))
    }
    var survivors: [Int] = []
    while let element = consumer.pop() { survivors.append(element) }
    #expect(survivors == Array(0..<capacity))
    #expect(ring.droppedCount == 25 - capacity)
  }

  @Test("drop oldest keeps the last elements and counts the others", arguments: ringCapacities)
  func dropOldest(capacity: Int) {
    let ring = Ring<Int>(capacity: capacity, policy: .dropOldest, initial: 0)
    var producer = ring.takeProducer()
    var consumer = ring.takeConsumer()
    for value in 0..<25 {
      let accepted = producer.push(value)
      #expect(accepted == (capacity > 0))
    }
    let readable = consumer.readableCount
    #expect(readable == capacity)
    var survivors: [Int] = []
    while let element = consumer.pop() { survivors.append(element) }
    #expect(survivors == Array((25 - capacity)..<25))
    #expect(ring.droppedCount == 25 - capacity)
  }

  @Test("drop oldest refuses the new element while the consumer reads in place", arguments: [1, 2, 3, 10])
  func readingHoldsTheOldest(capacity: Int) throws {
    let ring = Ring<Int>(capacity: capacity, policy: .dropOldest, initial: 0)
    var producer = ring.takeProducer()
    var consumer = ring.takeConsumer()
    for value in 0..<capacity { _ = producer.push(value) }
    let peeked = consumer.peek()
    let slot = try #require(peeked)
    let refused = producer.push(100)
    let noSlot = producer.reserve()
    #expect(!refused)
    #expect(noSlot == nil)
    #expect(slot.pointee == 0)
    #expect(ring.droppedCount == 2)
    consumer.release(1)
    let accepted = producer.push(101)
    #expect(accepted)
    var rest: [Int] = []
    while let element = consumer.pop() { rest.append(element) }
    #expect(rest == Array(1..<capacity) + [101])
    #expect(ring.droppedCount == 2)
  }

  @Test("releasing nothing from a ring that drops the oldest changes nothing")
  func releasingNothing() {
    let ring = Ring<Int>(capacity: 3, policy: .dropOldest, initial: 0)
    var producer = ring.takeProducer()
    var consumer = ring.takeConsumer()
    let nothing = consumer.peek(upTo: 2)
    #expect(nothing.count == 0)
    for value in 0..<5 { _ = producer.push(value) }
    consumer.release(nothing.count)
    var survivors: [Int] = []
    while let element = consumer.pop() { survivors.append(element) }
    #expect(survivors == [2, 3, 4])
  }

  @Test("10,000 random calls agree with a plain array", arguments: ringCapacities, overflowPolicies)
  func likeAnArray(capacity: Int, policy: OverflowPolicy) {
    let seed = UInt64(capacity * 2 + (policy == .dropOldest ? 1 : 0))
    var generator = SeededGenerator(seed: seed)
    let ring = Ring<Int>(capacity: capacity, policy: policy, initial: -1)
    var producer = ring.takeProducer()
    var consumer = ring.takeConsumer()
    var model = ArrayRing(capacity: capacity, policy: policy)
    for value in 0..<10_000 {
      let count = Int.random(in: 0...(capacity + 1), using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        let accepted = producer.push(value)
        #expect(accepted == model.push(value), "seed \(seed), call \(value)")
      case 1:
        let element = consumer.pop()
        #expect(element == model.pop(), "seed \(seed), call \(value)")
      case 2:
        let region = producer.reserve(upTo: count)
        #expect(region.count == min(count, capacity - model.elements.count), "seed \(seed), call \(value)")
        for index in 0..<region.count {
          let piece = index < region.first.count ? region.first : region.second
          piece[index < region.first.count ? index : index - region.first.count] = value
          _ = model.push(value)
        }
        producer.commit(region.count)
      default:
        let region = consumer.peek(upTo: count)
        let seen = Array(region.first) + Array(region.second)
        #expect(seen == Array(model.elements.prefix(count)), "seed \(seed), call \(value)")
        // The consumer of an empty ring is not reading.
        model.isReading = !model.elements.isEmpty
        let accepted = producer.push(value)
        #expect(accepted == model.push(value), "seed \(seed), call \(value)")
        let used = Int.random(in: 0...seen.count, using: &generator)
        consumer.release(used)
        model.isReading = false
        model.elements.removeFirst(used)
      }
      #expect(ring.droppedCount == model.dropped, "seed \(seed), call \(value)")
    }
  }
}

/// What a ring does, written down as plainly as possible.
private struct ArrayRing {
  let capacity: Int
  let policy: OverflowPolicy
  var elements: [Int] = []
  var dropped = 0
  var isReading = false

  mutating func push(_ element: Int) -> Bool {
    if elements.count < capacity {
      elements.append(element)
      return true
    }
    dropped += 1
    guard case .dropOldest = policy, capacity > 0, !isReading else { return false }
    elements.removeFirst()
    elements.append(element)
    return true
  }

  mutating func pop() -> Int? { elements.isEmpty ? nil : elements.removeFirst() }
}
