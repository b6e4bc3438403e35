import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct PacketBufferTests {
  private func slot(_ sequence: Int, byteCount: Int) -> PacketSlot {
    PacketSlot(sequence: sequence, timestamp: 960 * sequence, sampleCount: 960, arrival: sequence, byteCount: byteCount)
  }

  @Test(
    "packets are found by number like in a dictionary, with their bytes",
    arguments: 1...5)
  func likeDictionary(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var buffer = PacketBuffer()
    var expected: [Int: [UInt8]] = [:]
    var lowest = 1_000
    for _ in 0..<5_000 {
      let sequence = lowest + Int.random(in: 0..<PacketBuffer.capacity, using: &random)
      let payload = [UInt8](
        repeating: UInt8(truncatingIfNeeded: sequence), count: Int.random(in: 0...1_500, using: &random))
      let isNew = expected[sequence] == nil
      let isStored = payload.withUnsafeBytes { buffer.insert(slot(sequence, byteCount: payload.count), payload: $0) }
      #expect(isStored == isNew)
      if isNew { expected[sequence] = payload }
      if Int.random(in: 0..<3, using: &random) == 0 {
        lowest += Int.random(in: 0..<4, using: &random)
        let old = expected.keys.filter { $0 < lowest }
        let removed = buffer.removeAll(below: lowest)
        #expect(removed == old.count)
        for key in old { expected[key] = nil }
      }
      let count = buffer.count
      #expect(count == expected.count)
      let probe = lowest + Int.random(in: 0..<PacketBuffer.capacity, using: &random)
      let isThere = buffer.packet(probe) != nil
      #expect(isThere == (expected[probe] != nil))
      let first = buffer.first(from: probe)
      #expect(first?.pointee.sequence == expected.keys.filter { $0 >= probe }.min())
      guard let first else { continue }
      let bytes = Array(buffer.payload(of: first))
      #expect(bytes == expected[first.pointee.sequence])
    }
  }

  @Test("a packet is refused while an older one occupies its slot")
  func collision() {
    var buffer = PacketBuffer()
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    let stored = [5, 5 + PacketBuffer.capacity].map { buffer.insert(slot($0, byteCount: 0), payload: none) }
    #expect(stored == [true, false])
    let wasThere = [4, 5, 5].map { buffer.remove($0) }
    #expect(wasThere == [false, true, false])
    let isStored = buffer.insert(slot(5 + PacketBuffer.capacity, byteCount: 0), payload: none)
    let first = buffer.first(from: 0)
    #expect(isStored && first?.pointee.sequence == 5 + PacketBuffer.capacity)
    #expect(first.map { buffer.payload(of: $0).count } == 0)
    let removed = buffer.removeAll()
    let nothing = buffer.first(from: 0)
    #expect(removed == 1 && nothing == nil)
  }

  @Test("a search finds the next packet from far before, and none from behind")
  func farAway() {
    var buffer = PacketBuffer()
    let isStored = [UInt8(1)].withUnsafeBytes { buffer.insert(slot(70_000, byteCount: 1), payload: $0) }
    #expect(isStored)
    let found = [Int.min + 1, 0, 69_999, 70_000].map { buffer.first(from: $0)?.pointee.sequence }
    #expect(found == [70_000, 70_000, 70_000, 70_000])
    let behind = [70_001, Int.max].map { buffer.first(from: $0) == nil }
    #expect(behind == [true, true])
  }

  @Test("payloads take turns in as much memory as waits at once", .shows("receive: memory"), arguments: [1, 5, 128])
  func turns(waiting: Int) {
    var buffer = PacketBuffer()
    var places = Set<Int>()
    for sequence in 0..<1_000 {
      let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: 60)
      if sequence >= waiting { buffer.remove(sequence - waiting) }
      let isStored = payload.withUnsafeBytes { buffer.insert(slot(sequence, byteCount: 60), payload: $0) }
      #expect(isStored)
      guard let found = buffer.packet(sequence) else { continue }
      places.insert(Int(bitPattern: buffer.payload(of: found).baseAddress))
    }
    #expect(places.count == waiting)
  }

  @Test("a payload that is too long is refused")
  func tooLong() {
    var buffer = PacketBuffer()
    let isStored = [UInt8](repeating: 0, count: 1_501).withUnsafeBytes {
      buffer.insert(slot(1, byteCount: 1_501), payload: $0)
    }
    #expect(!isStored)
    let count = buffer.count
    #expect(count == 0)
  }
}
