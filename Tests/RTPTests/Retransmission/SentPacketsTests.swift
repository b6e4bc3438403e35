import TestSupport
import Testing

@testable import RTP

@Suite(.timeLimit(.minutes(10))) struct SentPacketsTests {
  @Test("a packet is returned as it was sent, or not at all", arguments: [1_000_000, 20_000_000])
  func same(intervalNanoseconds: Int) {
    var random = SeededGenerator(seed: 7)
    var ring = SentPackets()
    var sent: [(position: Int, bytes: [UInt8])] = []
    var found = 0
    for index in 0..<20_000 {
      let packet = (0..<Int.random(in: 20...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      guard let position = packet.withUnsafeBytes({ ring.append($0, nowNanoseconds: index * intervalNanoseconds) })
      else {
        Issue.record("packet \(index) is not kept")
        return
      }
      sent.append((position, packet))
      let older = sent[Int.random(in: max(0, index - 2_000)...index, using: &random)]
      guard let kept = ring.packet(at: older.position) else { continue }
      found += 1
      guard Array(kept) == older.bytes else {
        Issue.record("the packet at \(older.position) has changed")
        return
      }
    }
    #expect(found > 200)
    // The last 200 ms are there, whatever the rate.
    for packet in sent.suffix(200_000_000 / intervalNanoseconds) {
      #expect(ring.packet(at: packet.position).map(Array.init) == packet.bytes)
    }
    #expect(ring.byteCount <= 262_144)
  }

  @Test("a listener of one speaker takes 8 KiB, and none without packets")
  func memory() {
    var ring = SentPackets()
    #expect(ring.byteCount == 0)
    let packet = [UInt8](repeating: 1, count: 120)
    for index in 0..<10_000 { _ = packet.withUnsafeBytes { ring.append($0, nowNanoseconds: index * 20_000_000) } }
    #expect(ring.byteCount == 8_192)
  }

  @Test("packets of every size are kept for 160 ms at 50 speakers", arguments: [118, 124, 126, 128, 254, 300])
  func grows(byteCount: Int) {
    var ring = SentPackets()
    let packet = [UInt8](repeating: 1, count: byteCount)
    var positions: [Int] = []
    for index in 0..<20_000 {
      let position = packet.withUnsafeBytes { ring.append($0, nowNanoseconds: index * 400_000) }
      positions.append(position ?? -1)
    }
    #expect(positions.suffix(400).allSatisfy { ring.packet(at: $0).map(Array.init) == packet })
  }

  @Test("a packet that is too long for the ring is not kept")
  func long() {
    var ring = SentPackets()
    let packet = [UInt8](repeating: 1, count: 5_000)
    let position = packet.withUnsafeBytes { ring.append($0, nowNanoseconds: 0) }
    #expect(position == nil)
  }
}
