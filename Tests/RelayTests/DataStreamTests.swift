import DataStreams
import Platform
import RTP
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Messages of data streams at the relay: rights, limits and repetitions.
@Suite(.timeLimit(.minutes(10))) struct DataStreamTests {
  private static func join(
    _ relay: SimulatedRelay, _ uid: UInt32, rights: TokenRights? = nil, role: ClientRole = .broadcaster,
    profile: ChannelProfile = .live, data: Bool = true, offer: AiortcOffer? = nil
  ) -> SimulatedClient {
    let token = SimulatedRelay.token(
      uid: uid, role: role == .audience ? .audience : .broadcaster, rights: rights)
    let client = relay.client(token)
    client.join(
      uid: uid, role: role, profile: profile, publishes: rights?.contains(.publish) ?? (role == .broadcaster),
      offer: offer, data: data)
    return client
  }

  @Test("a message goes to all users that take messages, with its uid", .shows("C17"))
  func forwarded() throws {
    let relay = SimulatedRelay()
    let (first, second) = (Self.join(relay, 1), Self.join(relay, 2))
    let audience = Self.join(relay, 3, role: .audience)
    let earlier = Self.join(relay, 4, data: false)
    let browser = Self.join(relay, 5, offer: AiortcOffer())
    relay.run(500)
    let sender = try #require(first.media["lobby"])
    #expect(sender.answer?.data?.sent != nil && audience.media["lobby"]?.answer?.data?.sent == nil)
    // The named sender is another user's.
    sender.sendMessage("hello", number: 8, packet: 1, uid: 2)
    relay.run(50)
    for listener in [second, audience] { #expect(listener.media["lobby"]?.messages == ["1 8 hello"]) }
    #expect(sender.messages == [])
    for listener in [earlier, browser] {
      #expect(listener.media["lobby"]?.answer?.data == nil)
      #expect(listener.media["lobby"]?.received.contains { $0.payloadType == 112 } == false)
    }
    #expect(relay.core.counters.dataMessages == 1 && relay.core.counters.forwardedMessages == 2)
  }

  @Test("audience and users without the right send nothing", .shows("C11", "C17"))
  func rights() throws {
    let relay = SimulatedRelay()
    let listener = Self.join(relay, 1)
    let publisher = Self.join(relay, 2, rights: [.publish, .subscribe])
    let changing = Self.join(relay, 3)
    let deaf = Self.join(relay, 4, rights: [.publish, .data])
    relay.run(500)
    #expect(publisher.media["lobby"]?.answer?.data?.sent == nil)
    changing.update(role: .audience)
    relay.run(50)
    let decrypted = relay.core.counters.packets
    // The relay requests a number that it has not seen as soon as the user may send again.
    changing.media["lobby"]?.answersRequests = false
    changing.media["lobby"]?.sendMessage("no", number: 1, packet: 1)
    relay.run(50)
    #expect(relay.core.counters.unauthorizedPackets == 1 && relay.core.counters.packets == decrypted)
    changing.update(role: .broadcaster)
    relay.run(50)
    changing.media["lobby"]?.sendMessage("yes", number: 2, packet: 2)
    relay.run(50)
    #expect(listener.media["lobby"]?.messages == ["3 2 yes"] && deaf.media["lobby"]?.messages == [])
    deaf.media["lobby"]?.sendMessage("hi", number: 1, packet: 1)
    relay.run(50)
    #expect(listener.media["lobby"]?.messages == ["3 2 yes", "4 1 hi"])
  }

  @Test("a renewed token gives and takes the right to send at once", .shows("C17"), arguments: [nil, "lobby"])
  func renewedRight(channel: String?) throws {
    let relay = SimulatedRelay()
    let (listener, sender) = (Self.join(relay, 1), Self.join(relay, 2, rights: [.publish, .subscribe]))
    let earlier = Self.join(relay, 3, rights: [.publish, .subscribe], data: false)
    relay.run(500)
    let media = try #require(sender.media["lobby"])
    let received = try #require(media.answer?.data?.received)
    // A media connection has one SSRC for messages; without the right the join has not named it.
    let ssrc = relay.core.channels.values.first?.members[2]?.media.data?.ssrc
    func renew(_ rights: TokenRights, seconds: Int64) -> [RelayMessage] {
      for client in [sender, earlier] {
        _ = client.takeEvents()
        client.renew(
          SimulatedRelay.token(uid: client === sender ? 2 : 3, rights: rights, seconds: seconds), channel: channel)
      }
      #expect(earlier.takeEvents() == ["tokenRenewed"])
      return sender.messages.map(\.message)
    }
    var messages = renew([.publish, .subscribe, .data], seconds: 4_000)
    #expect(
      messages.first
        == .dataUpdated(
          DataUpdatedEvent(channel: ChannelName("lobby")!, data: DataSources(sent: ssrc, received: received))))
    // The answer follows the event: a client that waits for it may send.
    #expect(sender.takeEvents() == ["dataUpdated sends", "tokenRenewed"] && ssrc != nil)
    media.sendMessage("yes", number: 1, packet: 1, ssrc: ssrc)
    relay.run(50)
    #expect(listener.media["lobby"]?.messages == ["2 1 yes"])
    _ = renew([.publish, .subscribe, .data], seconds: 4_500)
    #expect(sender.takeEvents() == ["tokenRenewed"])
    messages = renew([.publish, .subscribe], seconds: 5_000)
    #expect(
      messages.first
        == .dataUpdated(
          DataUpdatedEvent(channel: ChannelName("lobby")!, data: DataSources(sent: nil, received: received))))
    media.sendMessage("no", number: 2, packet: 2, ssrc: ssrc)
    relay.run(50)
    #expect(listener.media["lobby"]?.messages == ["2 1 yes"])
  }

  @Test("messages beyond the limit of a user are dropped and counted", .shows("C17", "attack"))
  func limit() throws {
    let relay = SimulatedRelay()
    let (first, second) = (Self.join(relay, 1), Self.join(relay, 2))
    relay.run(500)
    for index in 1...2_000 {
      first.media["lobby"]?.sendMessage("\(index)", number: UInt32(index), packet: UInt16(index))
      relay.run(5)
    }
    relay.run(100)
    // 30 a second from the join on, and 10 at once.
    let count = second.media["lobby"]?.messages.count ?? 0
    #expect(count > 300 && count < 335)
    #expect(relay.core.counters.limitedMessages == 2_000 - count)
  }

  @Test("a user that joins again and again sends no more messages by it", .shows("C17", "attack"))
  func rejoinLimit() throws {
    let relay = SimulatedRelay()
    let (first, second) = (Self.join(relay, 1), Self.join(relay, 2))
    relay.run(500)
    for _ in 0..<20 {
      first.join(uid: 1, data: true)
      relay.run(500)
      for index in 1...90 { first.media["lobby"]?.sendMessage("x", number: UInt32(index), packet: UInt16(index)) }
      relay.run(20)
    }
    // 10 of each join, and 30 a second.
    #expect(second.media["lobby"]?.messages.count ?? 0 <= 20 * 26)
  }

  @Test("malformed messages are counted, and cost others nothing", .shows("C17", "attack"))
  func malformed() throws {
    let relay = SimulatedRelay()
    let (first, second) = (Self.join(relay, 1), Self.join(relay, 2))
    relay.run(500)
    let media = try #require(first.media["lobby"])
    media.sendMessage("", number: 1, packet: 1)
    media.sendMessage(String(repeating: "x", count: 1_025), number: 2, packet: 2)
    media.sendMessage("x", number: 3, packet: 3, payloadType: 111)
    relay.run(50)
    #expect(second.media["lobby"]?.messages == [])
    #expect(relay.core.counters.malformedPackets == 2 && relay.core.counters.refusedDatagrams >= 1)
    media.sendMessage(String(repeating: "x", count: 1_024), number: 4, packet: 4)
    relay.run(50)
    #expect(second.media["lobby"]?.messages.count == 1)
  }

  @Test("a message that did not reach the relay is requested", .shows("C17"))
  func uplink() throws {
    let relay = SimulatedRelay()
    let (first, second) = (Self.join(relay, 1), Self.join(relay, 2))
    relay.run(500)
    let media = try #require(first.media["lobby"])
    media.sendMessage("lost", number: 1, packet: 1, isSent: false)
    media.sendMessage("here", number: 2, packet: 2)
    relay.run(200)
    #expect(Set(media.requested) == [1])
    #expect(second.media["lobby"]?.messages == ["1 2 here", "1 1 lost"])
  }

  @Test("a listener gets a requested message with the bytes of the first time", .shows("C17"))
  func downlink() throws {
    let relay = SimulatedRelay()
    let (first, second) = (Self.join(relay, 1), Self.join(relay, 2))
    relay.run(500)
    let listener = try #require(second.media["lobby"])
    var datagrams: [[UInt8]] = []
    relay.observer = { bytes, address in
      guard address == listener.address, bytes.count > 40, DatagramKind(bytes) == .rtp else { return true }
      datagrams.append(Array(bytes))
      return datagrams.count > 1
    }
    first.media["lobby"]?.sendMessage("once", number: 1, packet: 1)
    relay.run(50)
    #expect(listener.messages == [])
    listener.sendRTCP { (writer) throws(RTCPError) in
      try writer.appendReceiverReport(ssrc: listener.answer?.ssrc ?? 1)
      try writer.appendNack(
        senderSSRC: listener.answer?.ssrc ?? 1, mediaSSRC: listener.answer?.data?.received ?? 0,
        NackPair(packetID: 1, bitmask: 0))
    }
    relay.run(40)
    #expect(listener.messages == ["1 1 once"])
    #expect(datagrams.count == 2 && datagrams.first == datagrams.last)
  }

  @Test("the last message is repeated three times, and an unreliable one never", .shows("C17"))
  func repetitions() throws {
    let relay = SimulatedRelay()
    let (first, second) = (Self.join(relay, 1), Self.join(relay, 2))
    relay.run(500)
    let before = relay.core.counters.retransmitted
    first.media["lobby"]?.sendMessage("fast", number: 1, packet: 1, isReliable: false)
    relay.run(3_000)
    #expect(relay.core.counters.retransmitted == before)
    first.media["lobby"]?.sendMessage("sure", number: 2, packet: 2)
    relay.run(3_000)
    #expect(relay.core.counters.retransmitted == before + 3)
    #expect(second.media["lobby"]?.messages == ["1 1 fast", "1 2 sure"])
  }

  @Test("a rejoined user has other SSRCs, and takes each message once")
  func rejoin() throws {
    let relay = SimulatedRelay()
    let (first, second) = (Self.join(relay, 1), Self.join(relay, 2))
    relay.run(500)
    let former = second.media["lobby"]?.answer?.data
    second.join(uid: 2, data: true)
    relay.run(500)
    first.media["lobby"]?.sendMessage("again", number: 1, packet: 1)
    relay.run(50)
    #expect(second.media["lobby"]?.answer?.data != former && second.media["lobby"]?.messages == ["1 1 again"])
    #expect(relay.core.counters.forwardedMessages == 1)
    second.leave()
    first.media["lobby"]?.sendMessage("alone", number: 2, packet: 2)
    relay.run(50)
    #expect(relay.core.counters.forwardedMessages == 1)
  }
}
