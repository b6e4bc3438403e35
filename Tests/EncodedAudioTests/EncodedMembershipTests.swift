import RTP
import Relay
import TestSupport
import Testing

@testable import EncodedAudio

@Suite("packets through a relay without decoding", .timeLimit(.minutes(10)))
struct EncodedMembershipTests {
  /// Pushes packets of 20 ms, each at its time, and waits for the last ones.
  private func publish(_ packets: [[UInt8]], _ user: EncodedRig.User, _ rig: EncodedRig, from start: Int = 0) throws {
    for (index, payload) in packets.enumerated() {
      try user.membership.push(payload, timestamp: (start + index) * 960, level: Self.level)
      rig.run(20)
    }
    rig.run(500)
  }

  /// Compares packets without writing all of their bytes.
  private func expectEqual(_ found: [[UInt8]], _ wanted: [[UInt8]], location: SourceLocation = #_sourceLocation) {
    let first = zip(found, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    #expect(found.count == wanted.count && first == nil, "first difference at \(first ?? -1)", sourceLocation: location)
  }

  private static let level = AudioLevel(decibelsBelowOverload: 20, hasVoice: true)

  @Test("every packet arrives in order with its bytes, timestamp and level", .shows("C22"))
  func identity() throws {
    let rig = EncodedRig()
    let sender = rig.join(uid: 1) { $0.publishes = true }
    let listener = rig.join(uid: 2)
    rig.run(1_000)
    #expect(sender.hasJoined && listener.hasJoined)
    let packets = OpusPackets.random(count: 500, seed: 1)
    try publish(packets, sender, rig)
    let received = try #require(listener.packets[1])
    expectEqual(received.map(\.payload), packets)
    #expect(received.allSatisfy { $0.level == Self.level && $0.lostPacketCount == 0 && $0.missingSampleCount == 0 })
    #expect(received.map { $0.timestamp - received[0].timestamp } == (0..<500).map { $0 * 960 })
    #expect(received.map(\.isRestart) == [true] + [Bool](repeating: false, count: 499))
    #expect(sender.membership.sentCount == 500 && sender.packets.isEmpty)
  }

  @Test("at 10 % loss without requests, each lost packet is marked", .shows("C22"))
  func loss() throws {
    var random = SeededGenerator(seed: 5)
    let lost = Set((2...1_000).filter { _ in Int.random(in: 0..<10, using: &random) == 0 })
    let rig = EncodedRig()
    let sender = rig.join(uid: 1) { $0.publishes = true }
    let listener = rig.join(uid: 2) { $0.requestsPackets = false }
    rig.run(1_000)
    rig.links[listener.number] = EncodedRig.Link(losesDown: { lost.contains($0) })
    let packets = OpusPackets.random(count: 1_000, seed: 2)
    try publish(packets, sender, rig)
    let received = try #require(listener.packets[1])
    let kept = (1...1_000).filter { !lost.contains($0) }
    expectEqual(received.map(\.payload), kept.map { packets[$0 - 1] })
    let gaps = zip([0] + kept, kept).map { $1 - $0 - 1 }
    #expect(received.map(\.lostPacketCount) == gaps)
    #expect(received.map(\.missingSampleCount) == gaps.map { $0 * 960 })
    // A loss behind the last packet cannot be seen.
    #expect(listener.membership.counts.lost == kept.last! - kept.count)
    #expect((60...140).contains(lost.count))
  }

  @Test("lost packets are requested, and come in their places", .shows("C22"))
  func requests() throws {
    let rig = EncodedRig()
    let sender = rig.join(uid: 1) { $0.publishes = true }
    let listener = rig.join(uid: 2)
    rig.run(1_000)
    rig.links[listener.number] = EncodedRig.Link(delayNanoseconds: 20_000_000, losesDown: { $0 % 10 == 0 })
    rig.links[sender.number] = EncodedRig.Link(delayNanoseconds: 20_000_000, losesUp: { $0 % 10 == 5 })
    let packets = OpusPackets.random(count: 500, seed: 3)
    try publish(packets, sender, rig)
    let received = try #require(listener.packets[1])
    // Every tenth is lost on each way, and its retransmission, too, now and then.
    #expect(listener.membership.counts.lost < 5, "\(listener.membership.counts)")
    #expect(listener.membership.counts.reordered > 50)
    #expect(received.count + listener.membership.counts.lost >= 499)
    #expect(received.map(\.timestamp) == received.map(\.timestamp).sorted())
    let indices = received.map { ($0.timestamp - received[0].timestamp) / 960 }
    expectEqual(received.map(\.payload), indices.map { packets[$0] })
  }

  @Test("packets of 2 s pushed at once leave at their times; more is refused", .shows("C22"))
  func burst() throws {
    let rig = EncodedRig()
    let sender = rig.join(uid: 1) { $0.publishes = true }
    let listener = rig.join(uid: 2)
    rig.run(1_000)
    let packets = OpusPackets.random(count: 101, seed: 4)
    for index in 0..<101 { try sender.membership.push(packets[index], timestamp: index * 960) }
    // The first has left.
    #expect(sender.membership.queuedCount == 100)
    #expect(throws: EncodedPacketError.full) { try sender.membership.push(packets[0], timestamp: 101 * 960) }
    rig.run(2_100)
    let received = try #require(listener.packets[1])
    expectEqual(received.map(\.payload), packets)
    let times = received.map { $0.arrivalNanoseconds - received[0].arrivalNanoseconds }
    #expect(times == (0..<101).map { $0 * 20_000_000 })
  }

  @Test("an interruption drops the packets that wait, and names the first one", .shows("C22"))
  func interruption() throws {
    let rig = EncodedRig()
    let sender = rig.join(uid: 1) { $0.publishes = true }
    let listener = rig.join(uid: 2)
    rig.run(1_000)
    let packets = OpusPackets.random(count: 50, seed: 4)
    for index in 0..<50 { try sender.membership.push(packets[index], timestamp: index * 960) }
    rig.run(190)
    #expect(sender.membership.interrupt() == 10 * 960)
    rig.run(500)
    #expect(listener.packets[1]?.count == 10 && sender.membership.queuedCount == 0)
    #expect(sender.membership.interrupt() == nil)
    // Another utterance continues at that sample.
    try sender.membership.push(packets[40], timestamp: 10 * 960)
    rig.run(500)
    expectEqual(listener.packets[1]?.map(\.payload) ?? [], packets[..<10] + [packets[40]])
  }

  @Test("a pause of the sender is a gap in time without a loss", .shows("C22"))
  func pause() throws {
    let rig = EncodedRig()
    let sender = rig.join(uid: 1) { $0.publishes = true }
    let listener = rig.join(uid: 2)
    rig.run(1_000)
    let packets = OpusPackets.random(count: 20, seed: 6)
    try publish(Array(packets[..<10]), sender, rig)
    rig.run(7_500)
    try publish(Array(packets[10...]), sender, rig, from: 10 + 400)
    let received = try #require(listener.packets[1])
    expectEqual(received.map(\.payload), packets)
    try #require(received.count == 20)
    #expect(received[10].missingSampleCount == 400 * 960 && received[10].lostPacketCount == 0)
    #expect(!received[10].isRestart && listener.membership.counts.lost == 0)
  }

  @Test("payloads that are not Opus, too long or overlap are refused")
  func refusals() throws {
    let rig = EncodedRig()
    let sender = rig.join(uid: 1) { $0.publishes = true }
    let membership = sender.membership!
    #expect(throws: EncodedPacketError.payload(.empty)) { try membership.push([], timestamp: 0) }
    #expect(throws: EncodedPacketError.payload(.duration)) { try membership.push([0xFB, 0], timestamp: 0) }
    #expect(throws: EncodedPacketError.tooLong(byteCount: 1_276)) {
      try membership.push([UInt8](repeating: 0xF8, count: 1_276), timestamp: 0)
    }
    for timestamp in [-1, .max, 1_800_000_000_000_000_000] {
      #expect(throws: EncodedPacketError.timestampRange(timestamp)) {
        try membership.push([0xF8, 1], timestamp: timestamp)
      }
    }
    try membership.push([0xF8, 1], timestamp: 4_800)
    #expect(throws: EncodedPacketError.timestamp(5_759, earliest: 5_760)) {
      try membership.push([0xF8, 1], timestamp: 5_759)
    }
    try membership.push([0xF8, 1], timestamp: 5_760)
    #expect(membership.queuedCount == 2)
  }

  @Test("forwarded packets keep their bytes, pauses and losses", .shows("C22"))
  func forwarding() throws {
    let rig = EncodedRig()
    let sender = rig.join(uid: 1) { $0.publishes = true }
    let outlet = rig.join(uid: 3, channel: "hall") { $0.publishes = true }
    let inlet = rig.join(uid: 3) { $0.requestsPackets = false }
    let listener = rig.join(uid: 2, channel: "hall")
    inlet.forwards(to: outlet)
    rig.run(1_000)
    rig.links[inlet.number] = EncodedRig.Link(losesDown: { $0 == 5 || $0 == 6 })
    let packets = OpusPackets.random(count: 40, seed: 8)
    try publish(Array(packets[..<20]), sender, rig)
    rig.run(1_500)
    try publish(Array(packets[20...]), sender, rig, from: 20 + 100)
    let received = try #require(listener.packets[3])
    expectEqual(
      received.map(\.payload), packets.enumerated().filter { $0.offset != 4 && $0.offset != 5 }.map(\.element))
    #expect(received.map(\.missingSampleCount).filter { $0 > 0 } == [2 * 960, 100 * 960])
  }

  @Test("a user that comes back continues, with its restart marked")
  func comesBack() throws {
    let rig = EncodedRig()
    let listener = rig.join(uid: 2)
    let first = rig.join(uid: 1) { $0.publishes = true }
    rig.run(1_000)
    let packets = OpusPackets.random(count: 20, seed: 7)
    try publish(Array(packets[..<10]), first, rig)
    first.membership.leave()
    rig.run(1_000)
    let second = rig.join(uid: 1) { $0.publishes = true }
    rig.run(1_000)
    try publish(Array(packets[10...]), second, rig)
    let received = try #require(listener.packets[1])
    expectEqual(received.map(\.payload), packets)
    #expect(received.indices.filter { received[$0].isRestart } == [0, 10])
  }
}
