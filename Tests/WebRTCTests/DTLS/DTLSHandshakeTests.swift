import RTP
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
}
