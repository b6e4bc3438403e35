/// Number of a header extension in a stream.
///
/// Source: RFC 8285, section 5.
public struct HeaderExtensionMapping: Hashable, Sendable {
  /// Number in packets, 1...14 in one-byte headers, up to 255 in two-byte headers.
  public let identifier: UInt8
  /// URI of the header extension, such as `AudioLevel.uri`.
  public let uri: String
  /// Additional attributes of the extension, such as `vad=off`; may be empty.
  public let attributes: String

  /// Creates a mapping. Traps for the number 0, which is padding.
  public init(identifier: UInt8, uri: String, attributes: String = "") {
    precondition(identifier > 0, "header extensions are numbered from 1")
    self.identifier = identifier
    self.uri = uri
    self.attributes = attributes
  }

  var text: String { "\(identifier) \(uri)" + (attributes.isEmpty ? "" : " \(attributes)") }

  /// Reads `1 urn:...` or `1/sendonly urn:... attributes`; nil for numbers that no packet can carry.
  init?(text: Substring) {
    let words = SDPLine.words(of: text)
    guard words.count >= 2, let identifier = UInt8(words[0].prefix { $0 != "/" }), identifier > 0 else { return nil }
    self.init(identifier: identifier, uri: String(words[1]), attributes: words[2...].joined(separator: " "))
  }
}
