import RTP
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Packets of users that are heard in other channels, and the loss of their listeners.
@Suite(.timeLimit(.minutes(10))) struct MediaRelayPacketTests {
  @Test("browsers relay to others and hear relayed users", .shows("C18"), arguments: [true, false])
  func browsers(isSource: Bool) throws {
    let relay = SimulatedRelay()
    let source = relay.client(SimulatedRelay.token(uid: 1, relayTo: ["hall1"]))
    source.join(uid: 1, offer: isSource ? AiortcOffer() : nil)
    let listener = relay.client(RelayedRoom.token("hall1", 9))
    listener.join("hall1", uid: 9, offer: isSource ? nil : AiortcOffer())
    relay.run(1_000)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    RelayedRoom.send(relay, source, 20, mark: 33)
    let packets = try #require(listener.media["hall1"]).received
    #expect(packets.count == 20)
    #expect(packets.allSatisfy { $0.payloadType == (isSource ? 111 : AiortcOffer.payloadType) && $0.level == 33 })
  }

  @Test("the loudest speakers of a channel may be relayed ones", .shows("C18"))
  func speakers() throws {
    let relay = SimulatedRelay { $0.limits.speakers = 1 }
    let source = RelayedRoom.source(relay)
    let quiet = RelayedRoom.join(relay, "hall1", 8)
    let listener = RelayedRoom.join(relay, "hall1", 9, publishes: false)
    relay.run(500)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    for step in 0..<100 {
      quiet.media["hall1"]?.sendPacket(UInt8(70 + step % 3))
      source.media["lobby"]?.sendPacket(UInt8(20 + step % 3))
      relay.run(20)
    }
    let packets = try #require(listener.media["hall1"]).received.filter { $0.payload.count > 1 }
    #expect(packets.suffix(50).allSatisfy { $0.payload[0] < 40 } && packets.count > 80)
  }

  @Test("the loss of listeners in other channels reaches the publisher", .shows("C18"), arguments: [1, 3])
  func loss(workers: Int) throws {
    let relay = SimulatedRelay { $0.workerCount = workers }
    let source = RelayedRoom.source(relay)
    let listeners = RelayedRoom.halls.map { RelayedRoom.join(relay, $0, 9) }
    relay.run(500)
    source.relay(to: RelayedRoom.halls.map { ($0, RelayedRoom.token($0, 21)) })
    RelayedRoom.send(relay, source, 60)
    for (hall, listener) in zip(RelayedRoom.halls, listeners) {
      listener.media[hall]?.sendReport(fractionLost: hall == "hall4" ? 80 : 60)
    }
    RelayedRoom.send(relay, source, 150)
    #expect(source.media["lobby"]?.blocks.map(\.fractionLost).max() == 80)
    // In a pause nobody there reports anything.
    source.relay(to: RelayedRoom.halls.map { ($0, RelayedRoom.token($0, 21)) }, paused: true)
    RelayedRoom.send(relay, source, 100)
    #expect(source.media["lobby"]?.blocks.last?.fractionLost == 0)
  }

  @Test("a few listeners of another channel do not decide on the loss", .shows("C18"))
  func weights() throws {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    let own = (2...21).map { RelayedRoom.join(relay, "lobby", $0) }
    let other = RelayedRoom.join(relay, "hall1", 9)
    relay.run(500)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    RelayedRoom.send(relay, source, 60)
    for listener in own { listener.media["lobby"]?.sendReport(fractionLost: 5) }
    other.media["hall1"]?.sendReport(fractionLost: 200)
    RelayedRoom.send(relay, source, 150)
    #expect(source.media["lobby"]?.blocks.map(\.fractionLost).max() == 5)
  }

  @Test("packets beyond the memory are dropped, and the others keep their order")
  func memory() {
    let relay = SimulatedRelay()
    let packets = RelayedPackets()
    let bytes = [UInt8](repeating: 7, count: 1_000)
    var taken = 0
    let forwarder = relay.core.forwarders[0]
    let links = (1...30).map { RelayLink(UInt64($0), to: forwarder) }
    for sequence in 0..<1_000 {
      let waiting = bytes.withUnsafeBytes { packets.append($0, of: links[sequence % 30], sequence: sequence, epoch: 1) }
      if waiting != nil { taken += 1 }
      #expect((waiting == 0) == (sequence == 0))
    }
    var sequences: [Int] = []
    packets.takeAll { entry, packet in
      sequences.append(entry.sequence)
      #expect(entry.link == UInt64(entry.sequence % 30 + 1) && packet.elementsEqual(bytes))
    }
    #expect(taken == RelayedPackets.byteCount / 1_040 && sequences == Array(0..<taken) && packets.isEmpty)
    // One link has a share, again behind each reading.
    for _ in 0..<2 {
      let count = (0..<100).count { sequence in
        bytes.withUnsafeBytes { packets.append($0, of: links[0], sequence: sequence, epoch: 1) } != nil
      }
      #expect(count == RelayedPackets.shareByteCount / 1_040)
      packets.takeAll { _, _ in }
    }
  }
}
