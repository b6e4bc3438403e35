/// SHA-256 hash of a peer's certificate.
///
/// Source: RFC 8122, section 5.
public struct CertificateFingerprint: Hashable, Sendable {
  /// Number of bytes of the hash.
  public static let byteCount = 32

  /// Bytes of the hash.
  public let bytes: [UInt8]

  /// Creates a fingerprint from a hash.
  ///
  /// - Returns: Nil for another number of bytes than 32.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Reads a text such as `sha-256 4A:AD:B9:...`, with 32 pairs of hexadecimal digits.
  init?(text: String) {
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.utf8.count <= 128, words.count == 2, words[0].lowercased() == "sha-256" else { return nil }
    var bytes: [UInt8] = []
    for pair in words[1].split(separator: ":", omittingEmptySubsequences: false) {
      guard pair.utf8.count == 2, pair.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
        let byte = UInt8(pair, radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    self.init(bytes: bytes)
  }

  /// Text in messages and in SDP.
  public var text: String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var text = "sha-256 "
    for (index, byte) in bytes.enumerated() {
      if index > 0 { text.unicodeScalars.append(":") }
      text.unicodeScalars.append(digits[Int(byte >> 4)])
      text.unicodeScalars.append(digits[Int(byte & 15)])
    }
    return text
  }
}
