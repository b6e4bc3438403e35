import RTP
import SRTP
import TestSupport
import Testing
import WebRTC

@Suite("DTLS handshakes in memory", .timeLimit(.minutes(10)))
struct DTLSHandshakeTests {
  @Test("a client and a server agree on a suite and on keys of both directions")
  func agrees() {
    let link = DTLSLink()
    link.run()
    #expect(link.client.state == .connected(.aeadAES128GCM))
    #expect(link.server.state == .connected(.aeadAES128GCM))
    let (client, server) = (keyTexts(link.client), keyTexts(link.server))
    #expect(client.count == 2 && client == server.reversed())
    #expect(client.first != client.last)
    #expect(link.client.nextDeadlineNanoseconds == nil && link.server.nextDeadlineNanoseconds == nil)
  }

  @Test(
    "the server's order of suites decides",
    arguments: [
      ([SRTPSuite.aeadAES256GCM, .aeadAES128GCM], [SRTPSuite.aeadAES128GCM, .aeadAES256GCM], SRTPSuite.aeadAES128GCM),
      ([.aeadAES128GCM, .aeadAES256GCM], [.aeadAES256GCM, .aeadAES128GCM], .aeadAES256GCM),
      ([.aeadAES256GCM, .aesCM128HMACSHA1_80], [.aeadAES128GCM, .aesCM128HMACSHA1_80], .aesCM128HMACSHA1_80),
    ])
  func suites(client: [SRTPSuite], server: [SRTPSuite], expected: SRTPSuite) {
    let link = DTLSLink(clientOptions: DTLSOptions(suites: client), serverOptions: DTLSOptions(suites: server))
    link.run()
    #expect(link.client.state == .connected(expected))
    #expect(link.server.state == .connected(expected))
    #expect(keyTexts(link.client) == keyTexts(link.server).reversed())
  }

  @Test("ends without a common suite fail with that reason")
  func noSuite() {
    let link = DTLSLink(
      clientOptions: DTLSOptions(suites: [.aeadAES256GCM]), serverOptions: DTLSOptions(suites: [.aeadAES128GCM]))
    link.run()
    #expect(link.client.state == .failed(.noCommonSRTPProfile))
    #expect(link.server.state == .failed(.noCommonSRTPProfile))
    #expect(keyTexts(link.client).isEmpty)
  }

  @Test("a certificate with another fingerprint is refused with bad_certificate", arguments: [true, false])
  func mismatch(isClientDeceived: Bool) {
    let stranger = DTLSCertificate(unixSeconds: 1_700_000_000).fingerprint
    let (first, second) = (DTLSLink.certificate, DTLSLink.otherCertificate)
    let link = DTLSLink(
      DTLSConnection(.client, first, remoteFingerprints: [isClientDeceived ? stranger : second.fingerprint]),
      DTLSConnection(.server, second, remoteFingerprints: [isClientDeceived ? first.fingerprint : stranger]))
    link.run()
    let (deceived, other) = isClientDeceived ? (link.client, link.server) : (link.server, link.client)
    #expect(deceived.state == .failed(.fingerprintMismatch))
    #expect(keyTexts(deceived).isEmpty)
    // RFC 5246, section 7.2: bad_certificate is 42.
    #expect(other.state == .failed(.alert(42)))
  }

  @Test("a fingerprint that comes late connects, or refuses the certificate", arguments: [true, false])
  func late(isGenuine: Bool) {
    let (first, second) = (DTLSLink.certificate, DTLSLink.otherCertificate)
    let link = DTLSLink(
      DTLSConnection(.client, first, remoteFingerprints: [second.fingerprint]), DTLSConnection(.server, second))
    link.run(until: DTLSLink.second)
    #expect(link.server.state == .handshaking)
    #expect(keyTexts(link.server).isEmpty)
    #expect(link.client.state == .connected(.aeadAES128GCM))
    link.server.setRemoteFingerprints([isGenuine ? first.fingerprint : second.fingerprint])
    link.run()
    if isGenuine {
      #expect(link.server.state == .connected(.aeadAES128GCM))
      #expect(keyTexts(link.client) == keyTexts(link.server).reversed())
    } else {
      #expect(link.server.state == .failed(.fingerprintMismatch))
      #expect(link.client.state == .closed)
    }
  }

  @Test("a fingerprint that never comes ends the handshake at its limit")
  func never() {
    let link = DTLSLink(
      DTLSConnection(
        .client, DTLSLink.certificate, options: DTLSOptions(handshakeNanoseconds: 3 * DTLSLink.second)),
      DTLSConnection(.server, DTLSLink.otherCertificate, remoteFingerprints: [DTLSLink.certificate.fingerprint]))
    link.run()
    #expect(link.client.state == .failed(.timeout))
    #expect(link.now == 3 * DTLSLink.second)
  }

  @Test("a close_notify closes both ends", arguments: [true, false])
  func closes(isClient: Bool) {
    let link = DTLSLink()
    link.run()
    let (first, second) = isClient ? (link.client, link.server) : (link.server, link.client)
    first.close(nowNanoseconds: link.now)
    #expect(first.state == .closing)
    link.run()
    #expect(first.state == .closed && second.state == .closed)
    #expect(link.now == 0)
  }

  @Test("a close_notify without an answer closes at its limit")
  func closesAlone() {
    let link = DTLSLink()
    link.run()
    link.rule = { _ in [] }
    link.client.close(nowNanoseconds: link.now)
    link.run()
    #expect(link.client.state == .closed)
    #expect(link.now == DTLSLink.second)
  }

  @Test("no description shows a key")
  func secrets() throws {
    let link = DTLSLink()
    link.run()
    let keys = keyTexts(link.client)
    var text = ""
    dump(link.client, to: &text)
    for key in keys { #expect(!text.contains(key)) }
    #expect(!"\(link.client.state) \(link.client.counters)".contains(keys[0]))
  }

  @Test("small datagrams carry the messages in fragments", arguments: [576, 590, 600, 1200, 9000])
  func fragments(byteCount: Int) {
    let options = DTLSOptions(maximumByteCount: byteCount)
    let link = DTLSLink(clientOptions: options, serverOptions: options)
    link.run()
    #expect(link.sent.allSatisfy { $0.bytes.count <= byteCount })
    #expect(link.clientConnected == 0 && link.serverConnected == 0)
  }

  /// Browsers with large key shares send a first message of more than one datagram.
  @Test("a first message in fragments connects in any order", arguments: [[0, 1, 2], [2, 1, 0], [1, 1, 2, 0, 0]])
  func splitHello(order: [Int]) {
    let link = DTLSLink()
    link.rule = { datagram in
      guard datagram.isFromClient, datagram.number == 0 else { return [(datagram.bytes, datagram.time)] }
      let (header, body) = (datagram.bytes[13..<25], Array(datagram.bytes[25...]))
      let third = body.count / 3 + 1
      let pieces = (0..<3).map { index in
        let range = index * third..<min((index + 1) * third, body.count)
        let fragment =
          Array(header.prefix(6)) + [0, 0, UInt8(range.lowerBound), 0, 0, UInt8(range.count)] + body[range]
        // The client uses the numbers from 1 for its next flight.
        return [22, 0xFE, 0xFF, 0, 0, 0, 0, 0, 0, 0, UInt8(40 + index), 0, UInt8(fragment.count)] + fragment
      }
      return order.enumerated().map { (pieces[$0.element], datagram.time + $0.offset) }
    }
    link.run()
    #expect(link.clientConnected != nil && link.serverConnected != nil)
    #expect(link.client.counters.retransmissions == 0)
  }

  @Test("connections of one certificate run on several threads at once")
  func threads() {
    @Sendable func work() {
      for _ in 0..<50 {
        let link = DTLSLink()
        link.run()
        #expect(link.client.state == .connected(.aeadAES128GCM))
        #expect(keyTexts(link.client) == keyTexts(link.server).reversed())
      }
    }
    runThreads(work, work, work, work)
  }
}
