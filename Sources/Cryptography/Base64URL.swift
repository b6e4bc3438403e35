internal import COpenSSL

/// Base64 for addresses and tokens: `-` and `_` instead of `+` and `/`, no padding.
///
/// Source: RFC 4648, section 5; RFC 7515, appendix C.
public enum Base64URL {
  /// Returns the text of these bytes.
  public static func encode(_ bytes: Span<UInt8>) -> String {
    let text = [UInt8](unsafeUninitializedCapacity: bytes.count / 3 * 4 + 5) { text, count in
      count = bytes.withUnsafeBufferPointer { bytes in
        Int(EVP_EncodeBlock(text.baseAddress, bytes.baseAddress, Int32(bytes.count)))
      }
    }
    return String(
      decoding: text.lazy.filter { $0 != UInt8(ascii: "=") }.map { byte in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
      }, as: UTF8.self)
  }

  /// Returns the bytes of a text.
  ///
  /// - Returns: Nil for other characters, padding, an impossible length, or unused bits that are not 0: each content
  ///   has one text only.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var block: [UInt8] = []
    block.reserveCapacity(text.utf8.count + 3)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        block.append(byte)
      case UInt8(ascii: "-"): block.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): block.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    let padding = (4 - block.count % 4) % 4
    guard padding < 3 else { return nil }
    block.append(contentsOf: repeatElement(UInt8(ascii: "="), count: padding))
    var bytes = [UInt8](repeating: 0, count: block.count / 4 * 3)
    guard EVP_DecodeBlock(&bytes, block, Int32(block.count)) == bytes.count else { return nil }
    bytes.removeLast(padding)
    // Unused bits must be 0.
    return encode(bytes.span).utf8.elementsEqual(text.utf8) ? bytes : nil
  }
}
