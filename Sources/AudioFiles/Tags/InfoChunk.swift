/// The LIST chunk of a WAV file that holds its tags.
///
/// Source: Multimedia Programming Interface 1.0, INFO list. Other programs add `ITRK`, `IPRT` and `ILIC`.
enum InfoChunk {
  /// Bytes of the longest text, as other programs have them; a longer one does not count as a tag.
  private static let longestText = 64 * 1024

  private static let names: [(name: StaticString, field: AudioTags.Field)] = [
    ("INAM", .title), ("IART", .artist), ("IPRD", .album), ("ICRD", .date), ("IGNR", .genre), ("ITRK", .track),
    ("IPRT", .track),
    ("ICMT", .comment), ("ICOP", .copyright), ("ILIC", .license),
  ]

  /// Returns the whole chunk; empty without tags.
  static func bytes(of tags: AudioTags) -> [UInt8] {
    guard !tags.isEmpty else { return [] }
    var content = name("INFO")
    for (field, text) in tags.fields {
      guard let entry = names.first(where: { $0.field == field }) else { continue }
      let bytes = Array(text.utf8.prefix(longestText)) + [0]
      content += name(entry.name) + UInt32(bytes.count).littleEndianBytes + bytes
      if bytes.count % 2 == 1 { content.append(0) }
    }
    return name("LIST") + UInt32(content.count).littleEndianBytes + content
  }

  /// Reads the content of a LIST chunk, behind its name and size.
  static func read(_ content: [UInt8], isBigEndian: Bool, into tags: inout AudioTags) {
    guard content.starts(with: "INFO".utf8) else { return }
    var offset = 4
    while offset + 8 <= content.count {
      let name = content.span.fourCC(at: offset)
      let size = Int(content.span.uint32(at: offset + 4, isBigEndian: isBigEndian))
      guard size <= content.count - offset - 8 else { return }
      let text = content[offset + 8..<offset + 8 + size].prefix { $0 != 0 }
      if let entry = names.first(where: { FourCC(stringLiteral: $0.name) == name }), tags[entry.field] == nil {
        tags[entry.field] = string(of: Array(text))
      }
      offset += 8 + size + size % 2
    }
  }

  /// Decodes UTF-8, as programs write it today, or else the Windows-1252 of older Windows programs.
  private static func string(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    // 0x80 to 0x9F; the rest is ISO 8859-1. Undefined ones are kept as control characters.
    let upper: [Unicode.Scalar] = [
      "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
      "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
    ]
    var text = ""
    for byte in bytes {
      text.unicodeScalars.append(0x80...0x9F ~= byte ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte))
    }
    return text
  }

  private static func name(_ text: StaticString) -> [UInt8] { FourCC(stringLiteral: text).value.littleEndianBytes }
}
