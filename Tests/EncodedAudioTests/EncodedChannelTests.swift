import Foundation
import NetworkIO
import Platform
import RTP
import Relay
import TestSupport
import Testing

@testable import EncodedAudio

/// Channels on sockets, at a relay on loopback.
@Suite("encoded channels", .serialized, .timeLimit(.minutes(10)))
struct EncodedChannelTests {
  /// Packets and events of a user, from any thread.
  private final class Log: Sendable {
    private let packets = Guarded<[EncodedPacket]>([])
    private let events = Guarded<[ChannelEvent]>([])

    var received: [EncodedPacket] { packets.withLock { $0 } }
    var hasJoined: Bool { contains { if case .joined = $0 { true } else { false } } }

    func take(_ packet: EncodedPacket) { packets.withLock { $0.append(packet) } }
    func take(_ event: ChannelEvent) { events.withLock { $0.append(event) } }

    func contains(_ isWanted: (ChannelEvent) -> Bool) -> Bool { events.withLock { $0.contains(where: isWanted) } }
  }

  private static func makeRelay(at address: SocketAddress? = nil) throws -> RelayServer {
    let relay = try RelayServer(
      RelayConfiguration(apps: [RelayApp(id: AppID("demo")!, secret: nil, allowsAppIDOnly: true)], mediaAddresses: []),
      at: [address ?? SocketAddress("127.0.0.1:0")])
    try relay.start()
    return relay
  }

  private static func join(
    _ relay: RelayServer, uid: UInt32, _ log: Log, publishes: Bool = false, loop: EncodedChannelLoop? = nil,
    channel: String = "room", onPacket: (@Sendable (EncodedPacket, UInt32) -> Void)? = nil
  ) throws -> EncodedChannel {
    try EncodedChannel(
      relay: "ws://\(relay.localAddresses[0])", appID: "demo", channel: channel,
      options: EncodedChannelOptions(user: .uid(uid), publishes: publishes, receives: !publishes || onPacket != nil),
      loop: loop, onEvent: { log.take($0) }, onPacket: onPacket ?? { packet, _ in log.take(packet) })
  }

  @Test("packets pass between users of one loop, and into files", .shows("C22"))
  func passes() throws {
    try withTemporaryFolder { folder in
      let relay = try Self.makeRelay()
      defer { relay.stop() }
      let loop = try EncodedChannelLoop()
      let (own, other) = (Log(), Log())
      let sender = try Self.join(relay, uid: 1, own, publishes: true, loop: loop)
      let listener = try Self.join(relay, uid: 2, other, loop: loop)
      #expect(eventually { own.hasJoined && other.hasJoined && listener.state == .connected })
      #expect(sender.uid == 1 && listener.uid == 2)
      listener.startRecording(in: folder.path, comments: ["TITLE=room"])
      let packets = OpusPackets.random(count: 50, seed: 9)
      for (index, packet) in packets.enumerated() { try sender.push(packet, timestamp: index * 960) }
      #expect(sender.queuedPacketCount > 0)
      #expect(eventually { other.received.count == 50 })
      let areEqual = other.received.map(\.payload) == packets
      #expect(areEqual)
      #expect(sender.sentPacketCount == 50 && sender.queuedPacketCount == 0)
      #expect(listener.counts.received == 50 && listener.counts.lost == 0 && listener.recordingFailures.isEmpty)
      let files = listener.stopRecording().files
      #expect(files.map(\.uid) == [1] && files[0].packetCount == 50)
      let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: files[0].path)))
      #expect(try #require(OpusPackets.decode(file)).total == files[0].sampleCount - OggOpusWriter.preSkip)
      #expect(listener.stopRecording().files.isEmpty)
      sender.leave()
      listener.leave()
      #expect(eventually { own.contains { $0 == .left } && other.contains { $0 == .left } })
      #expect(throws: EncodedPacketError.ended) { try sender.push([0xF8, 1], timestamp: 48_000) }
    }
  }

  @Test("a closure may publish packets of another channel", .shows("C22"))
  func closures() throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let loop = try EncodedChannelLoop()
    let logs = (0..<4).map { _ in Log() }
    let outlet = try Self.join(relay, uid: 3, logs[0], publishes: true, loop: loop, channel: "hall")
    let inlet = try Self.join(relay, uid: 4, logs[1], loop: loop) { packet, _ in try? outlet.forward(packet) }
    let sender = try Self.join(relay, uid: 1, logs[2], publishes: true)
    let listener = try Self.join(relay, uid: 2, logs[3], channel: "hall")
    #expect(eventually { logs.allSatisfy(\.hasJoined) })
    let packets = OpusPackets.random(count: 30, seed: 10)
    for (index, packet) in packets.enumerated() { try sender.push(packet, timestamp: index * 960) }
    #expect(eventually { logs[3].received.count == 30 })
    let areEqual = logs[3].received.map(\.payload) == packets
    #expect(areEqual)
    for channel in [outlet, inlet, sender, listener] { channel.leave() }
  }

  @Test("an interruption on sockets leaves out the packets that wait", .shows("C22"))
  func interruption() throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let log = Log()
    let sender = try Self.join(relay, uid: 1, log, publishes: true)
    #expect(eventually { log.hasJoined })
    for index in 0..<100 { try sender.push([0xF8, 1, UInt8(index)], timestamp: index * 960) }
    #expect(eventually { sender.sentPacketCount >= 3 })
    let position = try #require(sender.interrupt())
    #expect(position == sender.sentPacketCount * 960 && position < 100 * 960 && sender.interrupt() == nil)
  }

  @Test("packets pass again behind a restart of the relay, and are marked", .shows("C22"))
  func restart() throws {
    var relay: RelayServer? = try Self.makeRelay()
    defer { relay?.stop() }
    let address = relay!.localAddresses[0]
    let (own, other) = (Log(), Log())
    let sender = try Self.join(relay!, uid: 1, own, publishes: true)
    let listener = try Self.join(relay!, uid: 2, other)
    #expect(eventually { own.hasJoined && other.hasJoined })
    for index in 0..<10 { try sender.push([0xF8, UInt8(index)], timestamp: index * 960) }
    #expect(eventually { other.received.count == 10 })
    relay!.stop()
    // The ports are free once the relay is gone; a socket of another program may have one for a while.
    relay = nil
    #expect(
      eventually {
        relay = try? Self.makeRelay(at: address)
        return relay != nil
      })
    for log in [own, other] { #expect(eventually { log.contains { if case .rejoined = $0 { true } else { false } } }) }
    for index in 10..<20 { try sender.push([0xF8, UInt8(index)], timestamp: index * 960) }
    #expect(eventually { other.received.count == 20 })
    #expect(other.received.map { $0.payload[1] } == Array(0..<20))
    #expect(other.received.indices.filter { other.received[$0].isRestart } == [0, 10])
    #expect(listener.counts.received == 20)
  }

  @Test("names that are not valid are errors before the join")
  func names() {
    #expect(throws: ChannelError.self) { try EncodedChannel(relay: "ws://127.0.0.1:1", appID: "demo", channel: "") }
    #expect(throws: ChannelError.self) { try EncodedChannel(relay: "ws://127.0.0.1:1", appID: "", channel: "room") }
  }
}
