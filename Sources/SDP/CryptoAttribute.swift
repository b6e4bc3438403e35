public import RTP

/// The key of a stream, in the open: whoever has the description can read the stream. Printing it does not show the
/// key.
///
/// Source: RFC 4568, section 4; suites of RFC 7714, section 14.2, besides.
public struct CryptoAttribute: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Which of several it is.
  public let tag: Int
  /// How packets are protected.
  public let suite: SRTPSuite
  private let key: String

  /// What lets another open packets protected under `key`.
  public init(tag: Int = 1, _ key: borrowing SRTPKey) {
    self.tag = tag
    suite = key.suite
    self.key = key.base64()
  }

  /// The key. Throws: `keyText` or `keySize` where what was read is none.
  public func makeKey() throws(SRTPError) -> SRTPKey { try SRTPKey(suite, text: Array(key.utf8).span.bytes) }

  public var description: String { "\(tag) \(suite.name) (key not shown)" }

  public var customMirror: Mirror { Mirror(self, children: ["tag": tag, "suite": suite]) }

  /// What SDP writes.
  var text: String { "\(tag) \(suite.name) inline:\(key)" }

  /// Reads what SDP writes. A key's lifetime is its sender's to keep, so it is passed over; several keys, their
  /// identifiers in packets and parameters that change what is protected cannot be used.
  init?(text: Substring) {
    let words = SDPLine.words(of: text)
    guard words.count >= 3, let tag = Int(words[0]), let suite = SRTPSuite(name: words[1]) else { return nil }
    guard words[2].lowercased().hasPrefix("inline:"),
      words.dropFirst(3).allSatisfy({ $0.hasPrefix("WSH=") || $0 == "KDR=0" })
    else { return nil }
    let parts = words[2].dropFirst(7).split(separator: "|", omittingEmptySubsequences: false)
    guard let key = parts.first, !key.isEmpty, !words[2].contains(";") else { return nil }
    // What holds a colon is the identifier and its length.
    guard parts.count <= 2, !parts.dropFirst().contains(where: { $0.contains(":") }) else { return nil }
    self.tag = tag
    self.suite = suite
    self.key = String(key)
  }

  /// The name of the suite in what SDP writes, for those that cannot be used; nil where something else stands in its
  /// place, which may be a key.
  static func suiteName(in text: Substring) -> String? {
    let words = SDPLine.words(of: text)
    // All names have an underscore, which base64 has not.
    guard words.count >= 2, words[1].contains("_"), words[1].utf8.count <= 40,
      words[1].utf8.allSatisfy({ $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
    else { return nil }
    return String(words[1])
  }
}
