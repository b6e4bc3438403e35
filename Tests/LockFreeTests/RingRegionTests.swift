import LockFree
import Testing

@Suite(.timeLimit(.minutes(10))) struct RingRegionTests {
  @Test(
    "a region is two pieces of consecutive slots, used in place",
    arguments: ringCapacities, overflowPolicies)
  func everyLengthEverywhere(capacity: Int, policy: OverflowPolicy) {
    let ring = Ring<Int>(capacity: capacity, policy: policy, initial: -1)
    var producer = ring.takeProducer()
    var consumer = ring.takeConsumer()
    var next = 0
    var start = 0
    for length in 0...(capacity + 1) {
      for _ in 0..<(2 * capacity + 1) {
        let count = min(length, capacity)
        let writable = producer.reserve(upTo: length)
        #expect(writable.count == count)
        // The wrap is where the slots end, and nowhere else.
        #expect(writable.first.count == min(count, max(0, capacity - start)))
        for index in writable.first.indices { writable.first[index] = next + index }
        for index in writable.second.indices { writable.second[index] = next + writable.first.count + index }
        producer.commit(count)

        let readable = consumer.peek(upTo: length)
        #expect(Array(readable.first) + Array(readable.second) == Array(next..<(next + count)))
        #expect(readable.first.baseAddress == writable.first.baseAddress)
        consumer.release(count)
        next += count
        // One further, so that every length meets every place.
        let accepted = producer.push(-2)
        #expect(accepted == (capacity > 0))
        let taken = consumer.pop()
        #expect(taken == (capacity > 0 ? -2 : nil))
        if capacity > 0 { start = (start + count + 1) % capacity }
      }
    }
  }

  @Test("only committed slots are readable, and only released slots are free")
  func partial() {
    let ring = Ring<Int>(capacity: 3, initial: 0)
    var producer = ring.takeProducer()
    var consumer = ring.takeConsumer()
    let region = producer.reserve(upTo: 3)
    for index in 0..<3 { region.first[index] = index }
    producer.commit(2)
    let two = consumer.readableCount
    #expect(two == 2)
    let seen = consumer.peek(upTo: 3)
    #expect(Array(seen.first) == [0, 1])
    consumer.release(1)
    let rest = consumer.pop()
    #expect(rest == 1)
    let free = producer.freeCount
    #expect(free == 3)
    #expect(ring.droppedCount == 0)
  }
}
