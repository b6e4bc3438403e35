import BenchmarkTwins
import Cryptography
import Platform
import RTP
import Relay
import Signalling
import WebRTC

/// A relay without sockets beside a loop in C with OpenSSL: each packet of a publisher is decrypted once, and encrypted
/// for each listener under its own key, source and number.
enum RelaySubject {
  private static let packets = 200

  static func run(_ bench: Bench) throws {
    for listeners in [3, 30] { try measure(bench, listeners: listeners) }
  }

  private static func measure(_ bench: Bench, listeners: Int) throws {
    let name = "1 to \(listeners), a packet out"
    guard bench.wants(name) else { return }
    let rig = try RelayRig(listenerCount: listeners)
    let twin = twin_relay_create(Int32(listeners), packets)!
    defer { twin_relay_destroy(twin) }
    let count = Double(packets * listeners)
    // The ring of each listener's sent packets grows to its full size first. No packet allocates afterwards.
    for _ in 0..<12 { for datagram in rig.makePackets(packets) { rig.forward(datagram) } }
    let counted = rig.makePackets(packets)
    let forwardAll = { for datagram in counted { rig.forward(datagram) } }
    let allocations = Bench.allocations(of: forwardAll)
    try bench.check(
      allocations == 0, "\(packets) packets to \(listeners) listeners allocate \(allocations) times; they must not")
    bench.compareTimes(
      name, to: "OpenSSL in C", turns: 200, isPerFrame: false, target: 1.2,
      ours: {
        let datagrams = rig.makePackets(packets)
        let start = Bench.nanoseconds()
        for datagram in datagrams { rig.forward(datagram) }
        return (Bench.nanoseconds() - start) / count
      },
      twin: {
        twin_relay_prepare(twin)
        let start = Bench.nanoseconds()
        twin_relay_run(twin)
        return (Bench.nanoseconds() - start) / count
      })
    try bench.check(rig.forwardedCount > packets * listeners, "packets were not forwarded")
  }
}

/// A relay with a publisher and its listeners, whose datagrams arrive at once.
private final class RelayRig {
  private static let certificate = DTLSCertificate(unixSeconds: 1_800_000_000)
  private static let address = SocketAddress(host: "192.0.2.1", port: 4_000)!

  private final class Client {
    let address: SocketAddress
    let credentials = ICECredentials()
    var transport: MediaTransport?
    var ssrc: UInt32 = 0

    init(_ index: Int) { address = SocketAddress(host: "198.51.100.\(index + 1)", port: 5_000)! }
  }

  private final class Outgoing {
    var datagrams: [(bytes: [UInt8], to: SocketAddress)] = []
    /// Whether datagrams are only counted.
    var isCounting = false
    var count = 0
  }

  private let core: RelayCore
  private let clients: [Client]
  private let outgoing = Outgoing()
  private var now = 0
  private var number: UInt16 = 100
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  init(listenerCount: Int) throws {
    let app = AppID("bench")!
    clients = (0...listenerCount).map(Client.init)
    let outgoing = outgoing
    core = RelayCore(
      RelayConfiguration(
        apps: [RelayApp(id: app, secret: nil, allowsAppIDOnly: true)], mediaAddresses: [Self.address]),
      certificate: Self.certificate, nowNanoseconds: 0, unixMilliseconds: 1_800_000_000_000
    ) { datagram, address, _ in
      outgoing.count += 1
      if !outgoing.isCounting { outgoing.datagrams.append((Array(datagram), address)) }
    }
    for index in clients.indices { join(index, app) }
    for _ in 0..<400 where clients.contains(where: { $0.transport?.isConnected != true }) { step() }
    outgoing.isCounting = true
  }

  deinit { memory.deallocate() }

  var forwardedCount: Int { core.counters.forwarded }

  /// Returns encrypted packets of the publisher.
  func makePackets(_ count: Int) -> [[UInt8]] {
    (0..<count).map { _ in
      number &+= 1
      // As often as a relay takes packets of a publisher.
      now += 2_500_000
      let header = RTPHeader(
        marker: false, payloadType: 111, sequenceNumber: number, timestamp: UInt32(number) * 960, ssrc: clients[0].ssrc)
      guard var writer = try? RTPPacketWriter(header, into: memory), let start = try? writer.endHeader() else {
        return []
      }
      for index in 0..<120 { memory[start + index] = 7 }
      let length = clients[0].transport?.protect(memory, byteCount: start + 120) ?? 0
      return Array(memory[..<length])
    }
  }

  /// Gives a packet of the publisher to the relay.
  func forward(_ packet: [UInt8]) {
    packet.withUnsafeBytes { memory.copyMemory(from: $0) }
    core.received(
      datagram: UnsafeMutableRawBufferPointer(rebasing: memory[..<packet.count]), from: clients[0].address, local: 0,
      nowNanoseconds: now)
  }

  private func join(_ index: Int, _ app: AppID) {
    let (client, connection) = (clients[index], UInt64(index + 1))
    core.opened(connection, from: client.address, nowNanoseconds: now)
    send(.hello(HelloRequest(id: 1, credential: .app(app))), on: connection)
    let parameters = TransportParameters(
      ufrag: client.credentials.fragment, password: SecretText(client.credentials.password),
      fingerprint: Self.certificate.fingerprint, setup: .actpass)
    send(
      .join(
        JoinRequest(
          id: 2, channel: ChannelName("room")!, user: .uid(UInt32(index + 1)),
          role: index == 0 ? .broadcaster : .audience, publishes: index == 0, media: .transport(parameters))),
      on: connection)
    while let message = core.takeMessage() {
      guard case .joined(let answer)? = try? RelayMessage(reading: message.text),
        case .transport(let remote) = answer.media,
        let credentials = ICECredentials(fragment: remote.ufrag, password: remote.password.text)
      else { continue }
      client.ssrc = answer.ssrc ?? 0
      let candidates = [ICECandidate(Self.address)]
      client.transport = MediaTransport(
        client: ICEControllingAgent(
          local: client.credentials, remote: credentials, isPeerLite: true, candidates: candidates,
          nowNanoseconds: now),
        candidates: candidates, certificate: Self.certificate, remoteFingerprints: [remote.fingerprint])
    }
  }

  private func send(_ message: ClientMessage, on connection: UInt64) {
    core.received(Array(message.text.utf8), on: connection, nowNanoseconds: now)
  }

  private func step() {
    now += 10_000_000
    for client in clients {
      client.transport?.poll(nowNanoseconds: now)
      while let datagram = client.transport?.takeDatagram() {
        datagram.bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
        core.received(
          datagram: UnsafeMutableRawBufferPointer(rebasing: memory[..<datagram.bytes.count]), from: client.address,
          local: 0, nowNanoseconds: now)
      }
    }
    core.poll(nowNanoseconds: now)
    let arrived = outgoing.datagrams
    outgoing.datagrams = []
    for datagram in arrived {
      datagram.bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
      _ = clients.first { $0.address == datagram.to }?.transport?.receive(
        UnsafeMutableRawBufferPointer(rebasing: memory[..<datagram.bytes.count]), from: Self.address,
        nowNanoseconds: now)
    }
  }
}
