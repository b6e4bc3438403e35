import Glibc
import Platform
import RTP
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Two different packets of one number would reveal the key that authenticates them.
@Suite("Repeated packets", .timeLimit(.minutes(10))) struct RepeatedPacketTests {
  /// First bytes of each packet to a listener, by source and number without wraps.
  private final class Packets {
    var isRepeating = false
    var first: [Place: [UInt8]] = [:]
    var newest: [Stream: Int] = [:]
    /// Packets with the number of an earlier one.
    var doubled = 0
    var repeated = 0
    var different = 0
    var wraps = 0

    struct Stream: Hashable {
      let listener: SocketAddress
      let ssrc: UInt32
    }

    struct Place: Hashable {
      let stream: Stream
      let number: Int
    }

    /// Returns whether the datagram goes on to its listener.
    func take(_ bytes: UnsafeRawBufferPointer, to listener: SocketAddress) -> Bool {
      guard DatagramKind(bytes) == .rtp, let header = try? RTPHeader(parsing: bytes) else { return true }
      let stream = Stream(listener: listener, ssrc: header.ssrc)
      let before = newest[stream] ?? Int(header.sequenceNumber)
      let distance = Int16(truncatingIfNeeded: Int(header.sequenceNumber) - before)
      let place = Place(stream: stream, number: before + Int(distance))
      guard !isRepeating else {
        repeated += 1
        let isSame = first[place]?.withUnsafeBytes {
          $0.count == bytes.count && memcmp($0.baseAddress!, bytes.baseAddress!, $0.count) == 0
        }
        if isSame != true { different += 1 }
        return false
      }
      if first.updateValue(Array(bytes), forKey: place) != nil { doubled += 1 }
      if place.number >> 16 > before >> 16 { wraps += 1 }
      newest[stream] = max(before, place.number)
      return true
    }
  }

  @Test("a million repeated packets have their first bytes", .shows("relay"))
  func same() throws {
    var random = SeededGenerator(seed: 11)
    let relay = SimulatedRelay(seed: 5) { $0.limits.retransmissionsPerSecond = 1 << 40 }
    relay.delay = 1_000_000
    let packets = Packets()
    relay.observer = packets.take
    let publishers = (1...3).map { uid in
      let client = relay.client(SimulatedRelay.token(uid: UInt32(uid)))
      client.join(uid: UInt32(uid))
      return client
    }
    let plain = relay.client(SimulatedRelay.token(uid: 10))
    plain.join(uid: 10, publishes: false)
    // One of three publishers has to wait for a section.
    let sections = relay.client(SimulatedRelay.token(uid: 11))
    sections.join(uid: 11, publishes: false, offer: AiortcOffer(sections: ["audio recvonly", "audio recvonly"]))
    relay.run(1_000)
    let listeners = try [plain, sections].map { try #require($0.media["lobby"]) }
    var changes = 0
    while packets.repeated < 1_000_000, changes < 1_000_000 {
      for publisher in publishers {
        change(publisher, sections, &random)
        let padding = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 1...40, using: &random) : 0
        publisher.media["lobby"]?.sendPacket(UInt8.random(in: 0...99, using: &random), paddingByteCount: padding)
      }
      changes += 1
      packets.isRepeating = false
      relay.run(20)
      packets.isRepeating = true
      for media in listeners { request(media, packets) }
      relay.run(4)
      if changes % 100 == 0 { for client in publishers + [plain, sections] { ping(client) } }
    }
    #expect(packets.repeated >= 1_000_000 && packets.different == 0 && packets.doubled == 0)
    #expect(packets.wraps >= 3 && relay.core.channels.values.first?.members.count == 5)
  }

  /// Mutes, restarts, skips numbers or leaves its section, now and then.
  private func change(_ publisher: SimulatedClient, _ listener: SimulatedClient, _ random: inout SeededGenerator) {
    guard let media = publisher.media["lobby"], let uid = media.answer?.uid else { return }
    switch Int.random(in: 0..<300, using: &random) {
    case 0, 1: publisher.update(muted: true)
    case 2...5: publisher.update(muted: false)
    case 6: publisher.update(publishes: false)
    case 7...9: publisher.update(publishes: true)
    case 10: listener.update(users: [UserOptions(uid: uid, subscribes: false)])
    case 11, 12: listener.update(users: [UserOptions(uid: uid, subscribes: true)])
    case 13: media.sequenceNumber &+= UInt16.random(in: 4_000...20_000, using: &random)
    case 14...30: for _ in 0..<Int.random(in: 1...2_900, using: &random) { media.skipPacket() }
    default: break
    }
  }

  /// Requests the last 34 packets of every source.
  private func request(_ media: SimulatedMedia, _ packets: Packets) {
    let streams = packets.newest.filter { $0.key.listener == media.address }
    for (stream, newest) in streams.sorted(by: { $0.key.ssrc < $1.key.ssrc }) {
      media.sendRTCP { (writer) throws(RTCPError) in
        try writer.appendReceiverReport(ssrc: 1)
        try writer.appendNack(
          senderSSRC: 1, mediaSSRC: stream.ssrc,
          NackPair(packetID: UInt16(truncatingIfNeeded: newest - 33), bitmask: 0xFFFF))
        try writer.append(NackPair(packetID: UInt16(truncatingIfNeeded: newest - 16), bitmask: 0xFFFF))
      }
    }
  }

  private func ping(_ client: SimulatedClient) { client.send(.ping(PingRequest(id: client.id()))) }
}
