import RTP
import TestSupport
import Testing

@testable import EncodedAudio

@Suite("packets of one source", .timeLimit(.minutes(10)))
struct EncodedStreamTests {
  private static func packet(_ sequence: Int, _ timestamp: Int, payloadType: UInt8 = 111) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    bytes.withUnsafeMutableBytes { memory in
      let header = RTPHeader(
        marker: false, payloadType: payloadType, sequenceNumber: UInt16(truncatingIfNeeded: sequence),
        timestamp: UInt32(truncatingIfNeeded: timestamp), ssrc: 7)
      _ = try? header.write(to: memory)
      (memory[12], memory[13], memory[14], memory[15]) = (0xF8, 1, UInt8(sequence & 0xFF), UInt8(sequence >> 8 & 0xFF))
    }
    return bytes
  }

  private func makeStream() -> EncodedStream {
    EncodedStream(uid: 1, ssrc: 7, waitNanoseconds: 200_000_000, requestsPackets: true)
  }

  private func receive(_ bytes: [UInt8], _ stream: EncodedStream, _ now: Int) -> [EncodedPacket] {
    var passed: [EncodedPacket] = []
    bytes.withUnsafeBytes { stream.receive($0, now) { passed.append($0) } }
    return passed
  }

  @Test("numbers and timestamps that wrap continue")
  func wraps() {
    let stream = makeStream()
    var passed: [EncodedPacket] = []
    for index in 0..<400 {
      passed += receive(
        Self.packet(65_400 + index, 0xFFFF_0000 + index * 960), stream, index * 20_000_000)
    }
    #expect(passed.count == 400 && passed.allSatisfy { $0.lostPacketCount == 0 && $0.missingSampleCount == 0 })
    #expect(passed.map { $0.timestamp - passed[0].timestamp } == (0..<400).map { $0 * 960 })
    #expect(passed.map { $0.sequenceNumber - passed[0].sequenceNumber } == Array(0..<400))
  }

  @Test("a sender that restarts with the same source is marked")
  func restart() {
    let stream = makeStream()
    var passed: [EncodedPacket] = []
    for index in 0..<50 { passed += receive(Self.packet(index, index * 960), stream, index * 20_000_000) }
    for index in 50..<100 {
      passed += receive(Self.packet(30_000 + index, 900_000_000 + index * 960), stream, index * 20_000_000)
    }
    // A first packet of another time may be a stray one: the second proves the restart.
    #expect(passed.count == 99 && stream.counts.restarts == 1 && stream.counts.lost == 0)
    #expect(passed.indices.filter { passed[$0].isRestart } == [0, 50])
  }

  @Test("other payloads leave no gap; bytes that are not Opus are lost")
  func payloads() {
    let stream = makeStream()
    var passed: [EncodedPacket] = []
    for index in 0..<30 {
      var bytes = Self.packet(index, index * 960, payloadType: index == 10 ? 101 : 111)
      if index == 20 { (bytes[12], bytes[13]) = (0xFB, 0) }
      passed += receive(bytes, stream, index * 20_000_000)
    }
    stream.passDue(30 * 20_000_000, isForced: true) { passed.append($0) }
    #expect(passed.count == 28 && stream.counts.malformed == 1 && stream.counts.lost == 1)
    #expect(passed[10].lostPacketCount == 0 && passed[10].missingSampleCount == 960)
    #expect(passed[19].lostPacketCount == 1)
  }

  @Test("disorder, loss, duplicates and restarts keep order and counts", arguments: 0..<50)
  func disorder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let stream = makeStream()
    var (passed, now): ([EncodedPacket], Int) = ([], 0)
    var base = (sequence: 0, timestamp: 0)
    var index = 0
    for _ in 0..<3_000 {
      now += Int.random(in: 0...40_000_000, using: &random)
      switch Int.random(in: 0..<200, using: &random) {
      case 0: base = (Int.random(in: 0..<65_536, using: &random), Int.random(in: 0..<1 << 32, using: &random))
      case 1: index += Int.random(in: 0..<200, using: &random)
      case 2..<20: index += 1
      default: break
      }
      let number = index - (Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0..<20, using: &random) : 0)
      passed += receive(Self.packet(base.sequence + number, base.timestamp + number * 960), stream, now)
      index += 1
    }
    stream.passDue(now, isForced: true) { passed.append($0) }
    #expect(passed.count == stream.counts.received && passed.count > 1_000, "seed \(seed)")
    var lost = 0
    for (before, after) in zip(passed, passed.dropFirst()) where !after.isRestart {
      #expect(after.sequenceNumber - before.sequenceNumber == after.lostPacketCount + 1, "seed \(seed)")
      lost += after.lostPacketCount
    }
    #expect(lost <= stream.counts.lost, "seed \(seed)")
    #expect(passed.count { $0.isRestart } == stream.counts.restarts + 1, "seed \(seed)")
  }

  @Test("random bytes are not packets, and end nothing", arguments: 0..<5)
  func bytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let stream = makeStream()
    for index in 0..<20_000 {
      var bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      if !bytes.isEmpty, Bool.random(using: &random) { bytes[0] = 0x80 }
      _ = receive(bytes, stream, index * 1_000_000)
      stream.passDue(index * 1_000_000) { _ in }
      while stream.nextPair(index * 1_000_000) != nil {}
    }
    var passed: [EncodedPacket] = []
    for index in 0..<100 {
      passed += receive(Self.packet(index, index * 960), stream, 60_000_000_000 + index * 20_000_000)
    }
    #expect(passed.count >= 98, "seed \(seed)")
  }
}
