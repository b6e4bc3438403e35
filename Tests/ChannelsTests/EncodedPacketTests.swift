import Channels
import NetworkIO
import Platform
import Relay
import Signalling
import TestSupport
import Testing

/// Packets without decoding beside an engine, at a relay with sockets on loopback.
@Suite("encoded packets of an engine", .serialized, .timeLimit(.minutes(10)))
struct EncodedPacketTests {
  @Test("an engine's further users publish and receive packets without decoding", .shows("C22"))
  func packets() throws {
    let relay = try RelayServer(
      RelayConfiguration(apps: [RelayApp(id: AppID("demo")!, secret: nil, allowsAppIDOnly: true)], mediaAddresses: []),
      at: [SocketAddress("127.0.0.1:0")])
    try relay.start()
    defer { relay.stop() }
    let engine = try RtcEngine(appID: "demo", relay: "ws://\(relay.localAddresses[0])")
    defer { engine.destroy() }
    let loop = try EncodedChannelLoop()
    let joins = Guarded(0)
    let received = Guarded<[EncodedPacket]>([])
    let count: @Sendable (ChannelEvent) -> Void = { event in
      if case .joined = event { joins.withLock { $0 += 1 } }
    }
    let sender = try engine.joinEncoded(
      channel: "room", token: "", options: EncodedChannelOptions(user: .uid(1), publishes: true), loop: loop,
      onEvent: count)
    let listener = try engine.joinEncoded(
      channel: "room", token: "", options: EncodedChannelOptions(user: .uid(2)), loop: loop, onEvent: count
    ) { packet, uid in
      if uid == 1 { received.withLock { $0.append(packet) } }
    }
    #expect(eventually { joins.withLock { $0 } == 2 })
    let packets = (0..<20).map { [0xF8, UInt8($0), 7] }
    for (index, packet) in packets.enumerated() { try sender.push(packet, timestamp: index * 960) }
    #expect(eventually { received.withLock { $0.count } == 20 })
    #expect(received.withLock { $0.map(\.payload) } == packets)
    engine.destroy()
    #expect(throws: ChannelError.self) { try engine.joinEncoded(channel: "room", token: "") }
    sender.leave()
    listener.leave()
  }
}
