import Platform
import RTP
import TestSupport
import Testing
import WebRTC

@testable import Relay

/// Connectivity checks that are repeated or have a false source, and clients that move.
@Suite(.timeLimit(.minutes(10))) struct ProvedAddressTests {
  private static let stranger = SocketAddress(host: "203.0.113.66", port: 6_666)!

  private let relay = SimulatedRelay()
  private let clients: [SimulatedClient]

  init() {
    clients = ForwardingTests.clients(2, relay)
    relay.isCapturing = true
    // A consent check is seen within 6 s.
    relay.run(6_500)
  }

  private func media(_ index: Int) throws -> SimulatedMedia { try #require(clients[index].media["lobby"]) }

  /// The newest datagram of a client, before it is sent.
  private func take(_ media: SimulatedMedia) -> [UInt8] { media.outgoing.popLast() ?? [] }

  private func check(_ media: SimulatedMedia) throws -> [UInt8] {
    try #require(relay.captured(.stun, from: media.address))
  }

  @Test("a repeated check from elsewhere moves no media", .shows("proved addresses"))
  func repeated() throws {
    let (speaker, listener) = (try media(0), try media(1))
    let (own, others) = (try check(speaker), try check(listener))
    for number in 0..<100 {
      // From a new port each time, and from one that stays.
      for source in [Self.stranger, Self.stranger.withPort(UInt16(10_000 + number))] {
        relay.deliver(own, from: source)
        relay.deliver(others, from: source)
      }
      speaker.sendPacket(UInt8(number))
      listener.sendPacket(UInt8(number))
      relay.run(20)
    }
    relay.run(100)
    #expect(listener.received.map { $0.payload[0] } == (0..<100).map { UInt8($0) })
    #expect(speaker.received.map { $0.payload[0] } == (0..<100).map { UInt8($0) })
    // An answer to each check, and a request at most five times a second: no packet of media.
    #expect(relay.byteCount(to: Self.stranger) < 3 * 200 * own.count)
    #expect(relay.core.transportCount == 2)
    #expect(relay.core.routeCount <= 2 * MediaPeer.largestRouteCount)
  }

  @Test("a false source gets at most three times the bytes of its check", .shows("proved addresses"))
  func amplification() throws {
    let (speaker, listener) = (try media(0), try media(1))
    let bytes = try check(listener)
    relay.deliver(bytes, from: Self.stranger)
    for number in 0..<200 {
      speaker.sendPacket(UInt8(number))
      relay.run(20)
    }
    #expect(relay.byteCount(to: Self.stranger) > 0)
    #expect(relay.byteCount(to: Self.stranger) <= 3 * bytes.count)
    #expect(listener.received.count == 200)
  }

  @Test("a check at another local socket moves no packets there", .shows("proved addresses"))
  func localSocket() throws {
    let (speaker, listener) = (try media(0), try media(1))
    let bytes = try check(listener)
    #expect(relay.locals(to: listener.address) == [0])
    relay.deliver(bytes, from: listener.address, local: 1)
    // The answer alone leaves from there.
    let count = relay.byteCount(to: listener.address)
    #expect(relay.locals(to: listener.address) == [0, 1])
    speaker.sendPacket(1)
    relay.run(50)
    #expect(relay.byteCount(to: listener.address) > count)
    #expect(relay.core.channels.values.first?.members.values.allSatisfy { $0.peer?.local == 0 } == true)
    // A packet of the listener that comes there moves them.
    listener.sendPacket(2)
    let packet = take(listener)
    relay.deliver(packet, from: listener.address, local: 1)
    #expect(relay.core.channels.values.first?.members.values.contains { $0.peer?.local == 1 } == true)
  }

  @Test("repeated checks keep no user that is gone", .shows("proved addresses", "C7"))
  func gone() throws {
    let listener = try media(1)
    let bytes = try check(listener)
    relay.close(clients[1].connection)
    relay.cut.insert(listener.address)
    for number in 0..<60 {
      relay.deliver(bytes, from: number % 2 == 0 ? Self.stranger : Self.stranger.withPort(UInt16(10_000 + number)))
      relay.run(500)
    }
    #expect(relay.core.counters.drops == 1)
    #expect(relay.core.channels.values.first?.members.keys.sorted() == [1])
  }

  @Test("the newest packet moves a client at once, and back", .shows("proved addresses"))
  func moves() throws {
    let (speaker, listener) = (try media(0), try media(1))
    let home = listener.address
    let away = try #require(SocketAddress(host: "203.0.113.77", port: 7_000))
    let bytes = try check(listener)
    func send(_ number: UInt8, from source: SocketAddress) {
      listener.sendPacket(number)
      relay.deliver(take(listener), from: source)
    }
    func hears(at address: SocketAddress) -> Bool {
      let count = relay.byteCount(to: address)
      speaker.sendPacket(9)
      relay.run(20)
      return relay.byteCount(to: address) > count
    }
    // A packet that was held back proves nothing.
    listener.sendPacket(1)
    let old = take(listener)
    send(2, from: home)
    relay.deliver(bytes, from: away)
    relay.deliver(old, from: away)
    #expect(hears(at: home) && !hears(at: away))
    send(3, from: away)
    #expect(hears(at: away) && !hears(at: home))
    // Repeated from home, the packet moves nothing; a newer one does.
    relay.deliver(try #require(listener.sent[listener.sequenceNumber &- 1]), from: home)
    #expect(hears(at: away))
    send(4, from: home)
    #expect(hears(at: home) && !hears(at: away))
    // RTCP proves an address, too.
    listener.sendReport(fractionLost: 0)
    relay.deliver(take(listener), from: away)
    #expect(hears(at: away) && !hears(at: home))
  }

  @Test("a silent client at another port is heard and hears within 1.5 s", .shows("proved addresses"))
  func rebound() throws {
    let (speaker, listener) = (try media(0), try media(1))
    listener.address = listener.address.withPort(23_456)
    listener.transport?.checkPath(nowNanoseconds: relay.now)
    let begin = listener.received.count
    for number in 0..<75 {
      speaker.sendPacket(UInt8(number))
      relay.run(20)
    }
    // One round trip for the check, and one for the answer to the relay's own.
    #expect(listener.received.count - begin > 65, "\(listener.received.count - begin)")
  }

  @Test("a check of another user with a false source takes no route", .shows("proved addresses"))
  func route() throws {
    let (speaker, listener) = (try media(0), try media(1))
    let other = relay.client(SimulatedRelay.token(uid: 7, app: SimulatedRelay.otherApp, secret: 2))
    other.join(uid: 7)
    relay.run(6_500)
    let foreign = try check(try #require(other.media["lobby"]))
    for number in 0..<50 {
      relay.deliver(foreign, from: speaker.address)
      speaker.sendPacket(UInt8(number))
      relay.run(20)
    }
    #expect(listener.received.count == 50)
    #expect(relay.core.counters.refusedDatagrams == 0)
    #expect(clients[0].takeEvents().contains { $0.hasPrefix("failed") } == false)
  }

  @Test("a new user at the address of another one connects, and takes it over", .shows("proved addresses"))
  func successor() throws {
    let speaker = try media(0)
    let address = speaker.address
    // The translator gives the port to somebody else, whom the relay does not know yet.
    relay.cut.insert(address)
    speaker.address = address.withPort(1)
    relay.run(100)
    relay.cut.remove(address)
    let heir = relay.client(SimulatedRelay.token(uid: 9))
    heir.join(uid: 9).address = address
    relay.run(1_000)
    #expect(heir.media["lobby"]?.isConnected == true)
    heir.media["lobby"]?.sendPacket(5)
    relay.run(50)
    #expect(try media(1).received.last?.payload[0] == 5)
  }
}
