import TestSupport
import Testing

@testable import Engine

@Suite struct PacketBufferTests {
  private func slot(_ sequence: Int, byteCount: Int) -> PacketSlot {
    PacketSlot(sequence: sequence, timestamp: 960 * sequence, sampleCount: 960, arrival: sequence, byteCount: byteCount)
  }

  @Test(
    "packets are found by number whatever their order, like those of a dictionary, and keep their bytes",
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
