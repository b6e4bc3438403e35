import RTP
import SDP
import Signalling
import TestSupport
import Testing
import WebRTC

@testable import Relay

/// Clients that describe their media with SDP.
@Suite(.timeLimit(.minutes(10))) struct SDPJoinTests {
  private static func join(
    _ offer: AiortcOffer, uid: UInt32, _ relay: SimulatedRelay, autoSubscribe: Bool = true
  ) -> (client: SimulatedClient, media: SimulatedMedia) {
    let client = relay.client(SimulatedRelay.token(uid: uid))
    let media = client.join(uid: uid, autoSubscribe: autoSubscribe, offer: offer)
    relay.run(500)
    return (client, media)
  }

  private static func answer(_ media: SimulatedMedia) throws -> WebRTCDescription {
    guard case .sdp(let text) = try #require(media.answer).media else { throw SDPError.version }
    return try WebRTCDescription(parsing: text.text)
  }

  private static func send(_ media: SimulatedMedia, _ mark: UInt8, _ count: Int, _ relay: SimulatedRelay) {
    for _ in 0..<count {
      media.sendPacket(mark)
      relay.run(20)
    }
    relay.run(40)
  }

  @Test(
    "an offer is answered, and the connection is made", .shows("relay"),
    arguments: [("actpass", SetupRole.passive), ("passive", .active), ("active", .passive)])
  func answered(setup: String, role: SetupRole) throws {
    let relay = SimulatedRelay()
    var offer = AiortcOffer()
    offer.setup = setup
    let (client, media) = Self.join(offer, uid: 1, relay)
    #expect(client.takeEvents() == ["welcome", "joined 1 []"])
    let answer = try Self.answer(media)
    let audio = try #require(answer.audioSections.first)
    #expect(answer.isLite && answer.bundles == [["0"]] && audio.direction == .sendAndReceive)
    #expect(audio.opus.map(\.payloadType) == [96] && audio.sources.count == 1)
    #expect(audio.transport?.setup == role)
    #expect(audio.transport?.candidates.map { "\($0.address) \($0.port)" } == ["192.0.2.1 4000"])
    // A relay that is the DTLS client repeats its first message, which an offerer does not take before its check.
    relay.run(4_000)
    #expect(media.isConnected && media.answer?.ssrc == offer.ssrc)
  }

  @Test("video is refused, audio beside it is accepted", .shows("relay"))
  func video() throws {
    let relay = SimulatedRelay()
    let (_, media) = Self.join(AiortcOffer(sections: ["video sendrecv", "audio sendrecv"]), uid: 1, relay)
    let answer = try Self.answer(media)
    #expect(answer.sections.map { $0.audio != nil } == [false, true] && answer.bundles == [["1"]])
    #expect(answer.text.contains("m=video 0 ") && media.isConnected)
  }

  @Test("SDP without a usable section is refused with one sentence", .shows("relay"))
  func wrong() throws {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 1))
    let good = AiortcOffer().text(.init())
    let cases: [(String, String)] = [
      ("nonsense", "line 1 "), (good.replacing("v=0", with: "v=1"), "v=0"),
      (good.replacing("opus/48000/2", with: "L16/48000/2"), "no Opus"),
      (good.replacing("a=rtcp-mux\r\n", with: ""), "a=rtcp-mux"),
      (good.replacing("a=setup:actpass", with: "a=setup:holdconn"), "a=setup:actpass"),
      (good.replacing("m=audio 50416", with: "m=audio 0"), "port 0"),
      (AiortcOffer(sections: ["video sendrecv"]).text(.init()), "no audio section"), ("v=0\r\ns=-\r\n", "no audio"),
    ]
    for (text, words) in cases {
      client.send(
        .join(
          JoinRequest(
            id: client.id(), channel: ChannelName("lobby")!, user: .uid(1), role: .broadcaster, publishes: true,
            media: .sdp(SecretText(text)))))
      guard case .failed(let report)? = client.messages.last?.message else {
        Issue.record("'\(words)' is not refused")
        continue
      }
      #expect(report.code == .invalidArgument && report.reason == .joinFailed)
      #expect(report.sentence.contains(words), "\(report.sentence)")
      #expect(!report.sentence.contains("\n") && report.sentence.utf8.count < 250, "\(report.sentence)")
    }
    #expect(relay.core.channelCount == 0 && relay.core.transportCount == 0)
  }

  @Test("types, extensions and mids are those of each listener", .shows("relay"))
  func formats() throws {
    let relay = SimulatedRelay()
    let native = try #require(ForwardingTests.clients(1, relay)[0].media["lobby"])
    let (_, media) = Self.join(AiortcOffer(), uid: 9, relay)
    Self.send(media, 7, 10, relay)
    Self.send(native, 9, 10, relay)
    #expect(native.received.count == 10 && media.received.count == 10)
    #expect(native.received.allSatisfy { $0.payloadType == 111 && $0.level == 7 && $0.payload.count == 40 })
    #expect(media.received.allSatisfy { $0.payloadType == 96 && $0.level == 9 && $0.mid == "0" })
    #expect(media.received.allSatisfy { $0.payload == [UInt8](repeating: 9, count: 40) })
    let first = try #require(media.received.first)
    #expect(media.received.map(\.sequenceNumber) == (0..<10).map { first.sequenceNumber &+ $0 })
    #expect(media.received.map(\.timestamp) == (0..<10).map { first.timestamp &+ 960 * $0 })
    let answer = try Self.answer(media)
    #expect(answer.audioSections[0].sources.map(\.ssrc) == [first.ssrc])
    #expect(media.transport?.counters.refused == 0 && native.transport?.counters.refused == 0)
  }

  @Test("two programs with SDP hear each other", .shows("relay"))
  func pair() throws {
    let relay = SimulatedRelay()
    let (_, first) = Self.join(AiortcOffer(), uid: 1, relay)
    let (_, second) = Self.join(AiortcOffer(sections: ["video sendrecv", "audio sendrecv"]), uid: 2, relay)
    Self.send(first, 3, 10, relay)
    Self.send(second, 4, 10, relay)
    #expect(first.received.count == 10 && first.received.allSatisfy { $0.mid == "0" && $0.level == 4 })
    #expect(second.received.count == 10 && second.received.allSatisfy { $0.mid == "1" && $0.level == 3 })
  }

  @Test("an offer without a=ssrc publishes with its first authentic SSRC", .shows("relay"))
  func firstSource() throws {
    let relay = SimulatedRelay()
    let native = ForwardingTests.clients(1, relay)[0].media["lobby"]
    let (_, media) = Self.join(AiortcOffer(ssrc: nil), uid: 9, relay)
    #expect(media.isConnected && media.answer?.ssrc == nil)
    media.payloadType = 97
    media.ssrc = 5
    Self.send(media, 1, 2, relay)
    #expect(relay.core.counters.otherSSRCPackets == 2)
    // A packet that is not authentic does not decide.
    relay.deliver([0x80, 96] + [UInt8](repeating: 1, count: 60), from: media.address)
    #expect(relay.core.counters.refusedDatagrams == 1)
    media.payloadType = 96
    media.ssrc = 70
    Self.send(media, 2, 3, relay)
    media.ssrc = 71
    Self.send(media, 3, 3, relay)
    #expect(native?.received.map { $0.payload[0] } == [2, 2, 2] && relay.core.counters.otherSSRCPackets == 5)
  }

  @Test("a section hears one user, and the next one after it", .shows("relay"))
  func sections() throws {
    let relay = SimulatedRelay()
    let (client, media) = Self.join(AiortcOffer(sections: ["audio sendrecv", "audio recvonly"]), uid: 9, relay)
    let sources = try Self.answer(media).audioSections.map { $0.sources.map(\.ssrc) }
    #expect(try Self.answer(media).audioSections.map(\.direction) == [.sendAndReceive, .sendOnly])
    let users = ForwardingTests.clients(3, relay)
    for (index, user) in users.enumerated() { Self.send(user.media["lobby"]!, UInt8(index + 1), 2, relay) }
    let packets = media.takeReceived()
    #expect(packets.map { $0.payload[0] } == [1, 1, 2, 2, 3, 3] && packets.allSatisfy { $0.payloadType == 96 })
    #expect(packets.map(\.mid) == ["0", "0", "1", "1", nil, nil])
    #expect(sources == [[packets[0].ssrc], [packets[2].ssrc]] && packets[4].ssrc != packets[0].ssrc)
    client.update(users: [UserOptions(uid: 1, subscribes: false)])
    for (index, user) in users.enumerated() { Self.send(user.media["lobby"]!, UInt8(index + 1), 1, relay) }
    #expect(media.takeReceived().map { "\($0.payload[0]) \($0.mid ?? "-")" } == ["2 1", "3 0"])
    users[1].leave()
    client.update(users: [UserOptions(uid: 1, subscribes: true)])
    Self.send(users[0].media["lobby"]!, 1, 1, relay)
    #expect(media.takeReceived().map { "\($0.payload[0]) \($0.mid ?? "-")" } == ["1 1"])
  }

  @Test("users follow each other under the SSRC of a section", .shows("relay"))
  func successors() throws {
    let relay = SimulatedRelay()
    let (_, media) = Self.join(AiortcOffer(), uid: 9, relay)
    let ssrc = try Self.answer(media).audioSections[0].sources.first?.ssrc
    for uid in 1...3 {
      let client = relay.client(SimulatedRelay.token(uid: UInt32(uid)))
      let user = client.join(uid: UInt32(uid))
      relay.run(500)
      (user.sequenceNumber, user.timestamp) = (UInt16(uid * 20_000), UInt32(uid) &* 1_000_000_000)
      Self.send(user, UInt8(uid), 5, relay)
      client.leave()
      relay.run(100)
    }
    let packets = media.received
    #expect(packets.map { $0.payload[0] } == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3])
    #expect(packets.allSatisfy { $0.ssrc == ssrc && $0.mid == "0" } && media.transport?.counters.refused == 0)
    let first = try #require(packets.first)
    #expect(packets.map(\.sequenceNumber) == (0..<15).map { first.sequenceNumber &+ $0 })
    // 625 to 830 ms lie between the packets of two users.
    let steps = zip(packets, packets.dropFirst()).map { $1.timestamp &- $0.timestamp }
    #expect(steps.allSatisfy { $0 == 960 || ($0 > 30_000 && $0 < 40_000) }, "\(steps)")
  }

  @Test("changed offers never stop the relay", .shows("relay"))
  func changed() throws {
    var generator = SeededGenerator(seed: 6)
    let relay = SimulatedRelay { $0.limits.requestsPerSecond = 1_000_000 }
    let client = relay.client(SimulatedRelay.token(uid: 1))
    let good = AiortcOffer(sections: ["audio sendrecv", "video sendrecv", "audio recvonly"]).text(.init())
    let lines = good.split(separator: "\r\n").map(String.init)
    var answers = 0
    for _ in 0..<1_000 {
      var some = lines
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: some.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: some.remove(at: index)
        case 1: some.insert(some[index], at: Int.random(in: some.indices, using: &generator))
        case 2: some.swapAt(index, Int.random(in: some.indices, using: &generator))
        default:
          var bytes = Array(some[index].utf8)
          bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0x20...0x7E, using: &generator)
          some[index] = String(decoding: bytes, as: UTF8.self)
        }
      }
      client.send(
        .join(
          JoinRequest(
            id: client.id(), channel: ChannelName("lobby")!, user: .uid(1), role: .broadcaster, publishes: true,
            media: .sdp(SecretText(some.joined(separator: "\r\n") + "\r\n")))))
      switch client.messages.last?.message {
      case .joined(let answer)?:
        answers += 1
        guard case .sdp(let text) = answer.media else { break }
        #expect((try? WebRTCDescription(parsing: text.text)) != nil)
      case .failed(let report)?: #expect(report.code == .invalidArgument, "\(report.sentence)")
      default: Issue.record("no answer")
      }
    }
    #expect((100..<1_000).contains(answers), "\(answers)")
    #expect(relay.core.transportCount == 1 && relay.core.channelCount == 1)
  }

  @Test("an offer to receive only hears and does not publish", .shows("relay"))
  func receiver() throws {
    let relay = SimulatedRelay()
    let (_, media) = Self.join(AiortcOffer(sections: ["audio recvonly"]), uid: 9, relay)
    let users = ForwardingTests.clients(2, relay)
    Self.send(media, 9, 2, relay)
    Self.send(users[0].media["lobby"]!, 1, 2, relay)
    #expect(media.received.map { $0.payload[0] } == [1, 1] && users[0].media["lobby"]?.received.isEmpty == true)
    #expect(relay.core.counters.otherSSRCPackets == 2 && media.answer?.ssrc == nil)
  }

  @Test("an offer to send only publishes and hears nothing", .shows("relay"))
  func sender() throws {
    let relay = SimulatedRelay()
    let (_, media) = Self.join(AiortcOffer(sections: ["audio sendonly"]), uid: 9, relay)
    let users = ForwardingTests.clients(2, relay)
    Self.send(media, 9, 2, relay)
    Self.send(users[0].media["lobby"]!, 1, 2, relay)
    #expect(media.received.isEmpty && users[0].media["lobby"]?.received.map { $0.payload[0] } == [9, 9])
  }
}
