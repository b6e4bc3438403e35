/// Base64 in place, so that secret bytes leave no copies behind.
///
/// Source: RFC 4648, section 4.
enum Base64 {
  /// Writes the bytes of a text into `target`, ignoring spaces and line ends around it.
  ///
  /// The padding at the end may be missing, as some programs omit it.
  ///
  /// - Returns: Number of bytes; nil if the text is not base64, is cut off, or has more bytes than fit.
  static func decode(_ text: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Int? {
    let text = trimmed(text)
    let isUnpadded = text.count % 4 != 0
    guard text.count % 4 != 1, !isUnpadded || text.last != UInt8(ascii: "=") else { return nil }
    var count = 0
    for start in stride(from: 0, to: text.count, by: 4) {
      var bits: UInt32 = 0
      var padding = 0
      for index in start..<(start + 4) {
        bits <<= 6
        let character = index < text.count ? text[index] : UInt8(ascii: "=")
        if character == UInt8(ascii: "=") {
          padding += 1
        } else if padding == 0, let value = value(of: character) {
          bits |= value
        } else {
          return nil
        }
      }
      // Only the last group may be short, and its unused bits are 0: each content has one text.
      guard padding == 0 || start + 4 >= text.count && padding <= 2 && bits & (1 << UInt32(8 * padding) - 1) == 0
      else { return nil }
      for index in 0..<(3 - padding) {
        guard count < target.count else { return nil }
        target[count] = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index))
        count += 1
      }
    }
    return count
  }

  /// Returns the text of these bytes.
  static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var bits: UInt32 = 0
      for index in 0..<3 { bits = bits << 8 | (index < count ? UInt32(bytes[start + index]) : 0) }
      for index in 0..<4 {
        text.append(index <= count ? alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns a text without spaces and line ends around it.
  static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
    guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
    else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: text[first...last])
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
