public import SRTP

/// Key of a stream in plain text: any reader of the description can decrypt the stream. Printing the attribute does not
/// show the key.
///
/// Source: RFC 4568, section 4; suites of RFC 7714, section 14.2, in addition.
public struct CryptoAttribute: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Number of the attribute among several.
  public let tag: Int
  /// Cipher suite that protects the packets.
  public let suite: SRTPSuite
  private let key: String

  /// Creates the attribute with which a receiver decrypts packets protected under `key`.
  public init(tag: Int = 1, _ key: borrowing SRTPKey) {
    self.tag = tag
    suite = key.suite
    self.key = key.base64()
  }

  /// Returns the key.
  ///
  /// - Throws: `keyText` or `keySize` if the text read is not a key.
  public func makeKey() throws(SRTPError) -> SRTPKey { try SRTPKey(suite, text: Array(key.utf8).span.bytes) }

  public var description: String { "\(tag) \(suite.name) (key not shown)" }

  public var customMirror: Mirror { Mirror(self, children: ["tag": tag, "suite": suite]) }

  /// Text for SDP.
  var text: String { "\(tag) \(suite.name) inline:\(key)" }

  /// Reads the text of SDP. A key's lifetime is the sender's responsibility, so it is ignored. Several keys, key
  /// identifiers in packets, and parameters that change the protection are not supported.
  init?(text: Substring) {
    let words = SDPLine.words(of: text)
    guard words.count >= 3, let tag = Int(words[0]), let suite = SRTPSuite(name: words[1]) else { return nil }
    guard words[2].lowercased().hasPrefix("inline:"),
      words.dropFirst(3).allSatisfy({ $0.hasPrefix("WSH=") || $0 == "KDR=0" })
    else { return nil }
    let parts = words[2].dropFirst(7).split(separator: "|", omittingEmptySubsequences: false)
    guard let key = parts.first, !key.isEmpty, !words[2].contains(";") else { return nil }
    // A part with a colon is the identifier and its length.
    guard parts.count <= 2, !parts.dropFirst().contains(where: { $0.contains(":") }) else { return nil }
    self.tag = tag
    self.suite = suite
    self.key = String(key)
  }

  /// Returns the name of a suite that is not supported. nil if the text has something else in its place, which may be a
  /// key.
  static func suiteName(in text: Substring) -> String? {
    let words = SDPLine.words(of: text)
    // All names have an underscore, which base64 does not have.
    guard words.count >= 2, words[1].contains("_"), words[1].utf8.count <= 40,
      words[1].utf8.allSatisfy({ $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
    else { return nil }
    return String(words[1])
  }
}
