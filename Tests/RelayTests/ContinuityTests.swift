import Platform
import RTP
import Signalling
import TestSupport
import Testing
import WebRTC

@testable import Relay

/// Numbers and timestamps of forwarded packets.
@Suite(.timeLimit(.minutes(10))) struct ContinuityTests {
  @Test("numbers continue without a gap over a mute", .shows("relay"))
  func mute() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    let (media, heard) = (try #require(clients[0].media["lobby"]), try #require(clients[1].media["lobby"]))
    func send(_ count: Int) {
      for _ in 0..<count {
        media.sendPacket(1)
        relay.run(20)
      }
      relay.run(40)
    }
    send(10)
    clients[0].update(muted: true)
    send(10)
    clients[0].update(muted: false)
    send(10)
    clients[1].update(users: [UserOptions(uid: 1, muted: true)])
    send(10)
    clients[1].update(users: [UserOptions(uid: 1, muted: false)])
    send(10)
    let packets = heard.received
    let first = try #require(packets.first).sequenceNumber
    #expect(packets.map(\.sequenceNumber) == (0..<30).map { first &+ UInt16($0) })
    #expect(Set(packets.map(\.ssrc)).count == 1)
    // Timestamps keep the pauses.
    let sent: [UInt32] = Array(0..<10) + Array(20..<30) + Array(40..<50)
    #expect(packets.map(\.timestamp) == sent.map { 1_000 + 960 * $0 })
    #expect(relay.core.counters.mutedPackets == 10)
  }

  @Test("numbers and timestamps continue over a restart of the publisher", .shows("relay"))
  func restart() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    func send(_ start: UInt16) throws {
      let media = try #require(clients[0].media["lobby"])
      media.sequenceNumber = start
      media.timestamp = UInt32(start) &* 77_777
      for _ in 0..<10 {
        media.sendPacket(1)
        relay.run(20)
      }
    }
    try send(40_000)
    clients[0].join(uid: 1)
    relay.run(800)
    try send(5)
    relay.run(40)
    let packets = try #require(clients[1].media["lobby"]).received
    let first = try #require(packets.first).sequenceNumber
    #expect(packets.count == 20 && packets.map(\.sequenceNumber) == (0..<20).map { first &+ UInt16($0) })
    // 820 ms lie between the packets of both sides.
    let gap = packets[10].timestamp &- packets[9].timestamp
    #expect(gap == 820 * 48, "\(gap)")
    #expect(Set(packets.map(\.ssrc)).count == 1)
  }

  @Test("a listener from number 65530 with 20 % loss decrypts every packet", .shows("relay"))
  func wrap() throws {
    let relay = SimulatedRelay(seed: 11)
    let clients = ForwardingTests.clients(1, relay)
    let media = try #require(clients[0].media["lobby"])
    media.sequenceNumber = 65_530
    let listener = relay.client(SimulatedRelay.token(uid: 9))
    listener.join(uid: 9)
    relay.run(500)
    let heard = try #require(listener.media["lobby"])
    relay.downlinkLoss[heard.address] = 0.2
    let forwarded = relay.core.counters.forwarded
    for _ in 0..<500 {
      media.sendPacket(1)
      relay.run(20)
    }
    relay.run(100)
    #expect(relay.core.counters.forwarded - forwarded == 500)
    #expect((350...450).contains(heard.received.count) && heard.transport?.counters.refused == 0)
    let first = try #require(heard.received.first)
    #expect(first.sequenceNumber < 32_768 + 10)
    let source = heard.received.map { Int(($0.timestamp &- first.timestamp) / 960) }
    #expect(heard.received.map { Int($0.sequenceNumber &- first.sequenceNumber) } == source)
  }

  @Test("two publishers with equal SSRCs are two sources for a listener", .shows("relay"))
  func equal() throws {
    let relay = SimulatedRelay(constant: 0x1234_5678_9ABC_DEF0)
    let clients = ForwardingTests.clients(3, relay)
    let ssrcs = clients[..<2].map { $0.media["lobby"]?.answer?.ssrc }
    #expect(ssrcs[0] == ssrcs[1])
    for _ in 0..<10 {
      for index in 0..<2 { clients[index].media["lobby"]?.sendPacket(UInt8(index + 1)) }
      relay.run(20)
    }
    relay.run(40)
    let heard = try #require(clients[2].media["lobby"]).received
    let sources = Dictionary(grouping: heard, by: \.ssrc)
    #expect(sources.count == 2 && sources.values.allSatisfy { $0.count == 10 && Set($0.map(\.payload)).count == 1 })
  }

  @Test("an SSRC that was not assigned is dropped before decryption", .shows("relay"))
  func otherSSRC() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    clients[0].media["lobby"]?.ssrc = 7
    for _ in 0..<10 { clients[0].media["lobby"]?.sendPacket(1) }
    relay.run(100)
    #expect(relay.core.counters.otherSSRCPackets == 10 && relay.core.counters.packets == 0)
    #expect(clients[1].media["lobby"]?.received.isEmpty == true)
  }

  @Test("an SSRC is not used again for the user that leaves and returns", .shows("relay"))
  func reuse() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    for round in 0..<20 {
      clients[0].join(uid: 1)
      relay.run(500)
      clients[0].media["lobby"]?.sendPacket(UInt8(round))
      relay.run(50)
      clients[0].leave()
    }
    let packets = try #require(clients[1].media["lobby"]).received
    #expect(packets.count == 20 && Set(packets.map(\.ssrc)).count == 20)
  }

  @Test("an ended source leaves no memory in a listener's cipher", .shows("relay"))
  func forgotten() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    clients[0].media["lobby"]?.sendPacket(1)
    relay.run(50)
    let ssrc = try #require(clients[1].media["lobby"]?.received.first).ssrc
    let peer = try #require(relay.core.channels.values.first?.members[2]?.peer)
    clients[0].leave()
    // The library would refuse a number that it knows as used.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 4)
    defer { memory.deallocate() }
    let number = try #require(clients[1].media["lobby"]?.received.first).sequenceNumber
    let header = RTPHeader(marker: false, payloadType: 111, sequenceNumber: number, timestamp: 0, ssrc: ssrc)
    _ = try header.write(to: memory)
    #expect(peer.transport.protect(memory, byteCount: 12) == 28)
  }

  @Test("a publisher on another network is heard again within 8 s", .shows("relay"))
  func roams() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    let (media, heard) = (try #require(clients[0].media["lobby"]), try #require(clients[1].media["lobby"]))
    media.sendPacket(1)
    relay.run(50)
    media.address = try #require(SocketAddress(host: "203.0.113.77", port: 7))
    media.sendPacket(2)
    relay.run(8_000)
    media.sendPacket(3)
    clients[1].media["lobby"]?.sendPacket(4)
    relay.run(50)
    // The relay has requested the packet that came from the unknown address.
    #expect(heard.received.map { $0.payload[0] } == [1, 3, 2] && media.received.map { $0.payload[0] } == [4])
    #expect(relay.core.counters.unknownDatagrams == 1)
  }

  @Test("rewritten numbers follow the source's steps and never recur", .shows("relay"))
  func rewriter() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      var rewriter = PacketRewriter(random: generator.next())
      var seen: Set<UInt16> = []
      var (sequence, epoch, highest) = (Int.random(in: 0..<65_536, using: &generator), 0, -1)
      for index in 0..<2_000 {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0:
          epoch += 1
          sequence = Int.random(in: 0..<65_536, using: &generator)
        case 1: rewriter.isInterrupted = true
        case 2: sequence += Int.random(in: 1..<5, using: &generator)
        default: break
        }
        sequence += 1
        let rewritten = rewriter.rewrite(
          sequence: sequence, timestamp: 0, epoch: epoch, nowNanoseconds: index * 20_000_000)
        let numbers = try #require(rewritten)
        #expect(seen.insert(numbers.sequenceNumber).inserted)
        #expect(rewriter.highest > highest)
        highest = rewriter.highest
      }
    }
  }
}
