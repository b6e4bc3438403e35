import Cryptography
import Platform
import RTP
import SRTP
import TestSupport
import Testing

@testable import WebRTC

/// A client and a server without sockets: datagrams take 20 ms each way, on a virtual clock.
@Suite(.timeLimit(.minutes(10))) struct MediaTransportTests {
  private static let certificates = (
    client: DTLSCertificate(unixSeconds: 1_800_000_000), server: DTLSCertificate(unixSeconds: 1_800_000_000)
  )

  private final class Link {
    static let delay = 20_000_000
    let client: MediaTransport
    let server: MediaTransport
    var clientAddress = SocketAddress(host: "192.0.2.7", port: 7_000)!
    let serverAddress = SocketAddress(host: "192.0.2.1", port: 4_000)!
    var now = 0
    var events: (client: [MediaTransportEvent], server: [MediaTransportEvent]) = ([], [])
    var connectedAt: (client: Int?, server: Int?)
    /// Whether datagrams arrive.
    var isOpen = true
    /// Time by which checks of the client are late, so that its ClientHello overtakes the first one.
    var checkDelay = 0
    private var flying: [(time: Int, toServer: Bool, from: SocketAddress, bytes: [UInt8])] = []
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

    init(clientFingerprint: CertificateFingerprint = certificates.client.fingerprint) {
      let (ours, theirs) = (ICECredentials(), ICECredentials())
      let candidates = [ICECandidate(serverAddress)]
      client = MediaTransport(
        client: ICEControllingAgent(
          local: ours, remote: theirs, isPeerLite: true, candidates: candidates, nowNanoseconds: 0),
        candidates: candidates, certificate: certificates.client,
        remoteFingerprints: [certificates.server.fingerprint])
      server = MediaTransport(
        server: theirs, certificate: certificates.server, remoteFingerprints: [clientFingerprint], nowNanoseconds: 0)
    }

    deinit { memory.deallocate() }

    /// Runs to a time, in milliseconds.
    func run(to milliseconds: Int) {
      let end = milliseconds * 1_000_000
      while true {
        take()
        let next = [client.nextDeadlineNanoseconds, server.nextDeadlineNanoseconds, flying.map(\.time).min()]
          .compactMap(\.self).min()
        guard let next, next <= end else { break }
        now = max(now, next)
        client.poll(nowNanoseconds: now)
        server.poll(nowNanoseconds: now)
        take()
        let due = flying.filter { $0.time <= now }
        flying.removeAll { $0.time <= now }
        for datagram in due { deliver(datagram.bytes, toServer: datagram.toServer, from: datagram.from) }
      }
      now = end
    }

    @discardableResult
    func deliver(_ bytes: [UInt8], toServer: Bool, from: SocketAddress) -> ReceivedMedia {
      bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
      let media = (toServer ? server : client).receive(
        UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]), from: from, nowNanoseconds: now)
      take()
      return media
    }

    /// An RTP packet of one end, protected.
    func packet(fromClient: Bool, number: UInt16) -> [UInt8]? {
      let plain: [UInt8] = [0x80, 111, UInt8(number >> 8), UInt8(number & 255), 0, 0, 0, 1, 0, 0, 0, 7, 1, 2, 3, 4]
      plain.withUnsafeBytes { memory.copyMemory(from: $0) }
      return (fromClient ? client : server).protect(memory, byteCount: plain.count).map { Array(memory[..<$0]) }
    }

    private func take() {
      while let datagram = client.takeDatagram() {
        let isCheck = datagram.bytes.withUnsafeBytes { DatagramKind($0) } == .stun
        let delay = Self.delay + (isCheck ? checkDelay : 0)
        if isOpen { flying.append((now + delay, true, clientAddress, datagram.bytes)) }
      }
      while let datagram = server.takeDatagram() {
        if isOpen, datagram.address == clientAddress {
          flying.append((now + Self.delay, false, serverAddress, datagram.bytes))
        }
      }
      while let event = client.takeEvent() {
        events.client.append(event)
        if case .connected = event { connectedAt.client = now / 1_000_000 }
      }
      while let event = server.takeEvent() {
        events.server.append(event)
        if case .connected = event { connectedAt.server = now / 1_000_000 }
      }
    }
  }

  /// With 40 ms of round trip: the ClientHello leaves with the first check, two round trips of DTLS follow.
  @Test("both ends have keys after two round trips, in one suite", .shows("DTLS-SRTP"))
  func connects() {
    let link = Link()
    link.run(to: 1_000)
    #expect(link.events.client == [.connected(.aeadAES128GCM)] && link.events.server == [.connected(.aeadAES128GCM)])
    #expect(link.connectedAt.server == 60 && link.connectedAt.client == 80, "\(link.connectedAt)")
    #expect(link.client.remoteAddress == link.serverAddress && link.server.remoteAddress == link.clientAddress)
  }

  @Test("a ClientHello ahead of the check is sent again after 30 ms", .shows("DTLS-SRTP"))
  func overtaking() {
    let link = Link()
    link.checkDelay = 5_000_000
    link.run(to: 1_000)
    #expect(link.server.counters.untrusted == 1)
    // 5 ms of the check, its round trip, 30 ms, and the two round trips of DTLS.
    #expect(link.connectedAt.client == 5 + 40 + 30 + 80, "\(link.connectedAt)")
  }

  @Test("duplicates, changed packets and those of other sources are refused", .shows("DTLS-SRTP"))
  func packets() throws {
    let link = Link()
    #expect(link.packet(fromClient: true, number: 1) == nil)
    link.run(to: 1_000)
    for fromClient in [true, false] {
      let from = fromClient ? link.clientAddress : link.serverAddress
      let bytes = try #require(link.packet(fromClient: fromClient, number: 1))
      var changed = bytes
      changed[20] ^= 1
      #expect(link.deliver(changed, toServer: fromClient, from: from) == .nothing)
      let stranger = SocketAddress(host: "192.0.2.66", port: 7_000)!
      #expect(link.deliver(bytes, toServer: fromClient, from: stranger) == .nothing)
      #expect(link.deliver(bytes, toServer: fromClient, from: from) == .rtp(byteCount: 16))
      #expect(link.deliver(bytes, toServer: fromClient, from: from) == .nothing)
      let counters = (fromClient ? link.server : link.client).counters
      #expect(counters.refused == 1 && counters.untrusted == 1 && counters.repeated == 1)
    }
  }

  @Test("DTLS from an address without a check is dropped in silence", .shows("attack"))
  func unchecked() {
    let link = Link()
    let hello: [UInt8] = [22, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    #expect(link.deliver(hello, toServer: true, from: link.clientAddress) == .nothing)
    #expect(link.server.counters.untrusted == 1)
    #expect(link.server.takeDatagram() == nil)
  }

  @Test("a certificate without the announced fingerprint gets no keys", .shows("attack"))
  func fingerprint() {
    let link = Link(clientFingerprint: Self.certificates.server.fingerprint)
    link.run(to: 1_000)
    #expect(link.events.server == [.failed(.dtls(.fingerprintMismatch))])
    #expect(link.packet(fromClient: false, number: 1) == nil)
  }

  @Test("a client on another network keeps its connection", .shows("DTLS-SRTP"))
  func roams() throws {
    let link = Link()
    link.run(to: 1_000)
    link.clientAddress = SocketAddress(host: "198.51.100.9", port: 9_000)!
    // The next consent check comes from the new address, within 6 s, and proposes it.
    link.run(to: 8_000)
    #expect(link.server.remoteAddress != link.clientAddress)
    let bytes = try #require(link.packet(fromClient: true, number: 1))
    #expect(link.deliver(bytes, toServer: true, from: link.clientAddress) == .rtp(byteCount: 16))
    #expect(link.server.remoteAddress == link.clientAddress)
  }

  @Test("a cut of 30 s ends the connection at both ends", .shows("DTLS-SRTP"))
  func cut() {
    let link = Link()
    link.run(to: 1_000)
    link.isOpen = false
    link.run(to: 40_000)
    #expect(link.events.client.last == .failed(.consentLost) && link.events.server.last == .failed(.consentLost))
    #expect(link.packet(fromClient: true, number: 1) == nil)
  }

  @Test("a close is an event of the other end", .shows("DTLS-SRTP"))
  func closed() {
    let link = Link()
    link.run(to: 1_000)
    link.server.close(nowNanoseconds: link.now)
    link.run(to: 1_100)
    #expect(link.events.client.last == .failed(.closedByPeer))
  }
}
