/// Text that is compared and hashed as its bytes in UTF-8.
///
/// Swift's `String` compares and hashes normalised text. For marks in the wrong order that costs quadratic time:
/// seconds for 64 KB. Before a comparison, and as a key, text from outside becomes a `ByteText`, unless it is ASCII.
public struct ByteText: Hashable, Sendable {
  /// Text itself.
  public let text: String

  /// Creates a text that is compared as bytes.
  public init(_ text: String) { self.text = text }

  public static func == (left: ByteText, right: ByteText) -> Bool { left.text.hasSameBytes(as: right.text) }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension StringProtocol {
  /// Whether every byte is ASCII: then comparisons take the time of the bytes.
  public var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// Whether both texts are the same bytes.
  public func hasSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

  /// The text with each byte beyond ASCII replaced by a question mark, at the same place.
  public var asciiOnly: String { String(decoding: utf8.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self) }
}
