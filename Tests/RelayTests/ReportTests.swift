import RTP
import Signalling
import TestSupport
import Testing

@testable import Relay

/// RTCP, which ends at the relay on each leg.
@Suite(.timeLimit(.minutes(10))) struct ReportTests {
  private static func send(_ relay: SimulatedRelay, _ clients: [SimulatedClient], _ count: Int) {
    for _ in 0..<count {
      for client in clients { client.media["lobby"]?.sendPacket(UInt8(client.number)) }
      relay.run(20)
    }
  }

  @Test("a listener receives sender reports with its SSRC, counts and clock", .shows("relay"))
  func senderReports() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(3, relay)
    Self.send(relay, [clients[0]], 200)
    let media = try #require(clients[1].media["lobby"])
    let ssrc = try #require(media.received.first).ssrc
    #expect((3...6).contains(media.reports.count) && Set(media.reports.map(\.ssrc)) == [ssrc])
    for report in media.reports {
      #expect(report.octetCount == 40 * report.packetCount)
      // The relay's clock counts from 1800000000 s of Unix time.
      let seconds = Int(report.ntp.rawValue >> 32) - NTPTimestamp.unixEpochSeconds - 1_800_000_000
      #expect((0...5).contains(seconds))
      // A packet that came with the report's timestamp came at the report's time, to the length of a packet.
      let packet = try #require(media.received.last { Int32(bitPattern: report.rtpTimestamp &- $0.timestamp) >= 0 })
      let clock = Double(report.ntp.rawValue) / 4_294_967_296 - Double(NTPTimestamp.unixEpochSeconds) - 1_800_000_000
      #expect(abs(clock * 1_000 - Double(packet.milliseconds - 10)) <= 21)
    }
    #expect(media.reports.last.map { $0.packetCount > 150 } == true)
  }

  @Test("a report to a publisher has the larger loss of uplink and listeners", .shows("relay"))
  func combined() throws {
    // Of ten listeners with losses of 10, 20, ..., 100, nine lose 90 and less.
    for (uplink, listeners, expected) in [(0.0, 1...10, 90...90), (0.5, 1...10, 90...180), (0, 1...1, 10...10)] {
      let relay = SimulatedRelay(seed: 3)
      let clients = ForwardingTests.clients(11, relay)
      Self.send(relay, [clients[0]], 50)
      relay.loss.toRelay = uplink
      let media = try #require(clients[0].media["lobby"])
      for _ in 0..<3 {
        let count = media.blocks.count
        relay.loss.toRelay = 0
        for number in listeners { clients[number].media["lobby"]?.sendReport(fractionLost: UInt8(number * 10)) }
        relay.run(11)
        relay.loss.toRelay = uplink
        Self.send(relay, [clients[0]], 60)
        #expect(media.blocks.count > count)
      }
      let block = try #require(media.blocks.last)
      #expect(block.ssrc == media.answer?.ssrc && expected.contains(Int(block.fractionLost)), "\(block.fractionLost)")
    }
  }

  @Test("a packet overtaken on the uplink does not stay lost in the reports", .shows("relay"))
  func overtaken() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    let media = try #require(clients[0].media["lobby"])
    for _ in 0..<200 {
      // The network holds a packet back. Some reports come while it is missing, and it comes again if it is requested.
      media.sendPacket(0)
      let late = media.outgoing.removeLast()
      Self.send(relay, [clients[0]], 1)
      media.outgoing.append(late)
      Self.send(relay, [clients[0]], 2)
    }
    clients[1].media["lobby"]?.sendReport(fractionLost: 0)
    Self.send(relay, [clients[0]], 60)
    let lost = media.blocks.map(\.cumulativeLost)
    #expect(lost.count >= 5 && lost.allSatisfy { $0 <= 2 } && lost.last == 0, "\(lost)")
  }

  @Test("a packet that comes on request stays lost in the publisher's reports", .shows("relay"))
  func recovered() throws {
    let relay = SimulatedRelay(seed: 5)
    let clients = ForwardingTests.clients(2, relay)
    relay.loss.toRelay = 0.1
    Self.send(relay, [clients[0]], 1_000)
    relay.loss.toRelay = 0
    Self.send(relay, [clients[0]], 100)
    let (media, heard) = (try #require(clients[0].media["lobby"]), try #require(clients[1].media["lobby"]))
    // Nearly all have come in the end.
    #expect(Set(heard.received.map(\.sequenceNumber)).count > 1_080)
    let block = try #require(media.blocks.last)
    #expect((70...130).contains(block.cumulativeLost), "\(block.cumulativeLost)")
  }

  @Test("a listener's request is answered with the same datagram once more", .shows("relay"))
  func requests() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    let (media, heard) = (try #require(clients[0].media["lobby"]), try #require(clients[1].media["lobby"]))
    Self.send(relay, [clients[0]], 5)
    relay.cut.insert(heard.address)
    Self.send(relay, [clients[0]], 2)
    relay.run(15)
    relay.cut = []
    Self.send(relay, [clients[0]], 3)
    relay.run(20)
    let numbers = heard.received.map(\.sequenceNumber)
    #expect(numbers.count == 8)
    let first = numbers[0]
    let ssrc = heard.received[0].ssrc
    for _ in 0..<2 {
      heard.sendRTCP { (writer) throws(RTCPError) in
        try writer.appendReceiverReport(ssrc: 1)
        try writer.appendNack(senderSSRC: 1, mediaSSRC: ssrc, NackPair(packetID: first &+ 5, bitmask: 1))
      }
    }
    relay.run(40)
    #expect(Set(heard.received.map(\.sequenceNumber)) == Set((0..<10).map { first &+ UInt16($0) }))
    #expect(relay.core.counters.retransmitted == 4 && heard.received.count == 10)
    #expect(media.requested.isEmpty)
  }

  @Test("packets lost on the uplink are requested and forwarded late", .shows("relay"))
  func uplink() throws {
    let relay = SimulatedRelay(seed: 7)
    let clients = ForwardingTests.clients(2, relay)
    let media = try #require(clients[0].media["lobby"])
    relay.loss.toRelay = 0.1
    Self.send(relay, [clients[0]], 500)
    relay.loss.toRelay = 0
    Self.send(relay, [clients[0]], 20)
    relay.run(200)
    let heard = try #require(clients[1].media["lobby"]).received
    #expect(media.requested.count >= 30)
    #expect(heard.count == 520 && Set(heard.map(\.sequenceNumber)).count == 520)
  }

  @Test("requests beyond the limit of a second have no answer", .shows("relay"))
  func limited() throws {
    let relay = SimulatedRelay { $0.limits.retransmissionsPerSecond = 10 }
    let clients = ForwardingTests.clients(2, relay)
    let heard = try #require(clients[1].media["lobby"])
    Self.send(relay, [clients[0]], 20)
    let packet = try #require(heard.received.first)
    for _ in 0..<20 {
      heard.sendRTCP { (writer) throws(RTCPError) in
        try writer.appendNack(
          senderSSRC: 1, mediaSSRC: packet.ssrc, NackPair(packetID: packet.sequenceNumber, bitmask: 0xFFFF))
      }
    }
    relay.run(50)
    #expect(relay.core.counters.retransmitted == 10)
  }

  @Test("after a BYE the publisher's next packet continues the numbers", .shows("relay"))
  func bye() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    let media = try #require(clients[0].media["lobby"])
    Self.send(relay, [clients[0]], 5)
    media.sendRTCP { (writer) throws(RTCPError) in
      try writer.appendReceiverReport(ssrc: media.answer?.ssrc ?? 0)
      try writer.appendBye(ssrc: media.answer?.ssrc ?? 0)
    }
    relay.run(1_000)
    media.sequenceNumber = 1_000
    media.timestamp = 1
    Self.send(relay, [clients[0]], 5)
    relay.run(50)
    let heard = try #require(clients[1].media["lobby"]).received
    #expect(heard.map { $0.sequenceNumber &- heard[0].sequenceNumber } == Array(0..<10))
    #expect(heard[5].timestamp &- heard[4].timestamp == 1_020 * 48)
  }

  @Test("a publisher with missing packets that stops publishing has no requests", .shows("relay"))
  func stopped() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    let media = try #require(clients[0].media["lobby"])
    media.answersRequests = false
    Self.send(relay, [clients[0]], 5)
    media.skipPacket()
    clients[0].update(publishes: false)
    media.sendPacket(1)
    // A packet missing for 500 ms is given up.
    relay.run(100)
    #expect(relay.core.nextDeadlineNanoseconds.map { $0 > relay.now + 10_000_000 } == true)
    relay.run(600)
    #expect(media.requested.isEmpty)
    clients[0].update(publishes: true)
    media.skipPacket()
    media.sendPacket(1)
    relay.run(400)
    #expect(Set(media.requested) == [107])
  }

  @Test("RTCP of more SSRCs than eight is dropped before decryption", .shows("relay", "attack"))
  func sources() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(1, relay)
    let media = try #require(clients[0].media["lobby"])
    for ssrc in UInt32(1)...100 {
      media.sendRTCP { (writer) throws(RTCPError) in try writer.appendReceiverReport(ssrc: ssrc) }
    }
    relay.run(50)
    #expect(relay.core.counters.refusedDatagrams == 92)
  }
}
