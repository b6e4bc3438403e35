public import Cryptography
import JSON

/// Parameters of ICE and DTLS that a peer needs to connect. They replace a session description between programs of this
/// package.
///
/// Source: RFC 8839, sections 5.1 and 5.4; RFC 5763, section 5.
public struct TransportParameters: Hashable, Sendable {
  /// Fragment of the ICE user name.
  public let ufrag: String
  /// Password of ICE.
  public let password: SecretText
  /// Fingerprint of the certificate.
  public let fingerprint: CertificateFingerprint
  /// Side of the DTLS handshake.
  public let setup: TransportSetup
  /// Addresses; none if the peer learns them from checks.
  public let candidates: [TransportCandidate]

  /// Creates parameters.
  public init(
    ufrag: String, password: SecretText, fingerprint: CertificateFingerprint, setup: TransportSetup,
    candidates: [TransportCandidate] = []
  ) {
    self.ufrag = ufrag
    self.password = password
    self.fingerprint = fingerprint
    self.setup = setup
    self.candidates = candidates
  }

  init(_ fields: MessageFields) throws(MessageError) {
    ufrag = try fields.require(
      "ufrag", fields.parsed("ufrag", "4...256 letters, digits, + and /") { Self.iceText($0, 4...256) })
    password = try fields.require(
      "password",
      fields.parsed("password", "22...256 letters, digits, + and /") { text in
        Self.iceText(text, 22...256).map(SecretText.init)
      })
    fingerprint = try fields.require(
      "fingerprint",
      fields.parsed("fingerprint", "sha-256, a space and 32 pairs of hexadecimal digits with colons between them") {
        CertificateFingerprint(text: $0).flatMap { $0.algorithm == .sha256 ? $0 : nil }
      })
    setup = try fields.require("setup", fields.choice("setup"))
    var candidates: [TransportCandidate] = []
    for candidate in try fields.objects("candidates", atMost: MessageLimits.candidateCount) ?? [] {
      candidates.append(try TransportCandidate(candidate))
    }
    self.candidates = candidates
  }

  func write(to json: inout JSONWriter) {
    json.field("ufrag", ufrag)
    json.field("password", password.text)
    json.field("fingerprint", fingerprint.description)
    json.field("setup", setup.name)
    json.array("candidates") { json in
      for candidate in candidates { json.object { candidate.write(to: &$0) } }
    }
  }

  /// Returns a text of ICE's characters with a length within `lengths`; nil for another text.
  static func iceText(_ text: String, _ lengths: ClosedRange<Int>) -> String? {
    lengths.contains(text.utf8.count) && text.utf8.allSatisfy { isLetterOrDigit($0) || "+/".utf8.contains($0) }
      ? text : nil
  }

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
