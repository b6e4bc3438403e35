import Platform
import RTP
import TestSupport
import Testing

@testable import Relay

/// Datagrams and messages that no client of the relay makes.
@Suite(.timeLimit(.minutes(10))) struct HostileDatagramTests {
  private struct State: Equatable {
    let sizes: [Int]
    let packets: Int
    let forwarded: Int

    init(_ core: RelayCore) {
      sizes = [core.connectionCount, core.sessionCount, core.channelCount, core.transportCount, core.routeCount]
      (packets, forwarded) = (core.counters.packets, core.counters.forwarded)
    }
  }

  @Test("random datagrams from strangers leave no state and have no answer", .shows("attack"))
  func random() {
    let relay = SimulatedRelay()
    _ = ForwardingTests.clients(2, relay)
    let (before, sent) = (State(relay.core), relay.sentCount)
    var generator = SeededGenerator(seed: 9)
    for index in 0..<20_000 {
      var bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
        UInt8(truncatingIfNeeded: generator.next())
      }
      // A quarter begins like each protocol.
      if !bytes.isEmpty { bytes[0] = [bytes[0] & 3, 22, 0x80, bytes[0]][index % 4] }
      let source = SocketAddress(host: "203.0.113.\(index % 250)", port: UInt16(1_000 + index % 50_000))!
      relay.deliver(bytes, from: source)
    }
    #expect(State(relay.core) == before && relay.sentCount == sent)
    #expect(relay.core.counters.unknownDatagrams == 20_000)
  }

  @Test("random, changed and repeated packets of a client's address are refused", .shows("attack"))
  func forged() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    let media = try #require(clients[0].media["lobby"])
    media.sendPacket(1)
    relay.run(50)
    let good = try #require(media.sent[100])
    let before = State(relay.core)
    var generator = SeededGenerator(seed: 10)
    for index in 0..<20_000 {
      var bytes = good
      switch index % 4 {
      case 0:
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
      case 2: break
      default:
        bytes = (0..<Int.random(in: 0..<1_900, using: &generator)).map { _ in
          UInt8(truncatingIfNeeded: generator.next())
        }
        if !bytes.isEmpty { bytes[0] = [0x80, 22, 0, 0x90][index / 4 % 4] }
      }
      relay.deliver(bytes, from: media.address)
    }
    #expect(State(relay.core) == before)
    media.sendPacket(2)
    relay.run(50)
    #expect(clients[1].media["lobby"]?.received.map { $0.payload[0] } == [1, 2])
  }

  @Test("a check with the right name and a wrong password makes no route", .shows("attack"))
  func checks() throws {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 1))
    relay.loss.fromRelay = 1
    client.join(uid: 1)
    // The client's first check, changed in its last attribute but one.
    let stranger = SocketAddress(host: "203.0.113.9", port: 9)!
    let fragment = try #require(relay.core.forwarders.flatMap(\.peersByFragment.keys).first)
    let name = Array("\(fragment):abcd".utf8)
    var bytes: [UInt8] = [0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42] + Array(repeating: 7, count: 12)
    bytes += [0, 6, 0, UInt8(name.count)] + name + Array(repeating: 0, count: (4 - name.count % 4) % 4)
    bytes += [0, 8, 0, 20] + Array(repeating: 1, count: 20)
    bytes[3] = UInt8(bytes.count - 20)
    for _ in 0..<100 { relay.deliver(bytes, from: stranger) }
    #expect(relay.core.routeCount == 0 && relay.sentCount == 0 && relay.core.counters.refusedDatagrams == 100)
  }

  @Test("random messages end in refusals, without another session", .shows("attack"))
  func messages() {
    let relay = SimulatedRelay { $0.limits.requestsPerSecond = .max }
    let client = relay.client()
    var generator = SeededGenerator(seed: 4)
    let seeds = [
      "{\"type\":\"hello\",\"version\":1,\"id\":1,\"token\":\"\(SimulatedRelay.token())\"}",
      "{\"type\":\"join\",\"id\":2,\"channel\":\"lobby\",\"uid\":7}", "{\"type\":\"leave\",\"id\":4294967296}",
    ].map { Array($0.utf8) }
    for index in 0..<5_000 {
      var bytes = seeds[index % 3]
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        bytes[Int.random(in: 1..<bytes.count, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
      }
      if index % 7 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
      relay.core.received(bytes, on: client.connection, nowNanoseconds: relay.now)
      relay.take()
    }
    #expect(relay.core.channelCount == 0 && relay.core.transportCount == 0 && relay.core.connectionCount == 1)
  }
}
