import Cryptography
import Foundation
import RTP
import SRTP
import TestSupport
import Testing
import WebRTC

@Suite("Certificates and their fingerprints", .timeLimit(.minutes(10)))
struct CertificateFingerprintTests {
  /// RFC 8122, section 5, figure 2.
  @Test("a fingerprint of RFC 8122 is read and printed")
  func example() throws {
    let text =
      "sha-256 12:DF:3E:5D:49:6B:19:E5:7C:AB:4A:AD:B9:B1:3F:82:18:3B:54:02:12:DF:3E:5D:49:6B:19:E5:7C:AB:4A:AD"
    let fingerprint = try #require(CertificateFingerprint(text: text))
    #expect(fingerprint.algorithm == .sha256)
    #expect(fingerprint.bytes.prefix(3) == [0x12, 0xDF, 0x3E])
    #expect("\(fingerprint)" == text)
    #expect(CertificateFingerprint(text: text.lowercased()) == fingerprint)
    #expect(CertificateFingerprint(text: text.replacing("sha-256", with: "SHA-256")) == fingerprint)
  }

  @Test(
    "every function's fingerprint is read back",
    arguments: [(MessageDigest.sha256, "sha-256"), (.sha384, "sha-384"), (.sha512, "sha-512")])
  func functions(digest: MessageDigest, name: String) {
    let bytes = Array("abc".utf8)
    let fingerprint = CertificateFingerprint(of: bytes.span, digest)
    #expect("\(fingerprint)".hasPrefix(name + " "))
    #expect(CertificateFingerprint(text: "\(fingerprint)") == fingerprint)
    #expect(fingerprint.bytes == digest.hash(bytes.span))
  }

  @Test("SHA-1 and broken texts are refused")
  func refused() {
    let bytes = Array("abc".utf8)
    let text = "\(CertificateFingerprint(of: bytes.span))"
    let sha1 = "sha-1 " + (0..<20).map { _ in "AB" }.joined(separator: ":")
    for broken in [
      "", " ", "sha-256", "sha-256 ", sha1, String(text.dropLast()), text + ":AB", text + " ", " " + text,
      text.replacing(":", with: " "), text.replacing("sha-256", with: "sha-384"),
      text.replacing(":", with: ""), text.replacing("B", with: "G"), text.replacing("sha-256 ", with: "sha-256  "),
      "sha-256 " + String(repeating: "é", count: 48),
    ] { #expect(CertificateFingerprint(text: broken) == nil, "'\(broken)'") }
  }

  @Test("one changed bit makes another fingerprint")
  func comparison() throws {
    let text = "\(DTLSLink.certificate.fingerprint)"
    for index in text.indices where text[index] == "A" {
      var other = text
      other.replaceSubrange(index...index, with: "B")
      #expect(CertificateFingerprint(text: other) != DTLSLink.certificate.fingerprint)
    }
  }

  @Test("of several fingerprints, those of the longest function decide", arguments: [true, false])
  func several(isGenuine: Bool) throws {
    // RFC 8122, section 5: a weaker hash cannot vouch for a certificate that a stronger one denies.
    let longer = Array("another certificate".utf8)
    let (first, second) = (DTLSLink.certificate, DTLSLink.otherCertificate)
    let link = DTLSLink(
      DTLSConnection(
        .client, first,
        remoteFingerprints: isGenuine
          ? [first.fingerprint, second.fingerprint]
          : [second.fingerprint, CertificateFingerprint(of: longer.span, .sha512)]),
      DTLSConnection(.server, second, remoteFingerprints: [first.fingerprint]))
    link.run()
    #expect(link.client.state == (isGenuine ? .connected(.aeadAES128GCM) : .failed(.fingerprintMismatch)))
  }

  @Test("two certificates have different fingerprints")
  func different() { #expect(DTLSLink.certificate.fingerprint != DTLSLink.otherCertificate.fingerprint) }
}
