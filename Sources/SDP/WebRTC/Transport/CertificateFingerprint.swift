/// Digest of a DTLS certificate, as in SDP's `fingerprint`.
///
/// Source: RFC 8122, section 5.
public struct CertificateFingerprint: Hashable, Sendable {
  /// Name of the hash function in lower case, such as `sha-256`.
  public let algorithm: String
  /// Digest of the certificate in DER.
  public let bytes: [UInt8]

  /// Creates a fingerprint from its parts.
  public init(algorithm: String = "sha-256", bytes: [UInt8]) {
    self.algorithm = algorithm.lowercased()
    self.bytes = bytes
  }

  /// Reads `sha-256 AB:CD:...`; nil if it is malformed or too short or long for a known hash function.
  public init?(parsing text: some StringProtocol) {
    let words = SDPLine.words(of: Substring(text))
    guard words.count == 2, words[0].utf8.count <= 16 else { return nil }
    let digits = words[1].utf8
    guard digits.count <= 3 * Self.largestByteCount - 1 else { return nil }
    var bytes: [UInt8] = []
    for pair in words[1].split(separator: ":", omittingEmptySubsequences: false) {
      guard pair.utf8.count == 2, pair.utf8.allSatisfy(Self.isHexDigit), let byte = UInt8(pair, radix: 16) else {
        return nil
      }
      bytes.append(byte)
    }
    let algorithm = words[0].lowercased()
    if let count = Self.byteCounts[algorithm], bytes.count != count { return nil }
    self.init(algorithm: algorithm, bytes: bytes)
  }

  /// Text for SDP: `sha-256 AB:CD:...`.
  public var text: String {
    let digits = Array("0123456789ABCDEF")
    return "\(algorithm) "
      + bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined(separator: ":")
  }

  private static let largestByteCount = 64
  private static let byteCounts = ["sha-1": 20, "sha-224": 28, "sha-256": 32, "sha-384": 48, "sha-512": 64]

  private static func isHexDigit(_ byte: UInt8) -> Bool { Character(UnicodeScalar(byte)).isHexDigit }
}
