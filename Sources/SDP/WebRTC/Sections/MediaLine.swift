/// First line of a media section, with the attributes that every kind of section has.
struct MediaLine {
  let kind: String
  let port: UInt16
  let profile: String
  let formats: [String]
  let mid: String?
  /// Number of the line with the mid; that of the section without one.
  let midNumber: Int
  let isBundleOnly: Bool

  /// Reads the lines of a section, which begin with `m=`.
  init(_ lines: ArraySlice<SDPLine>) throws(SDPError) {
    guard let head = lines.first else { throw .value(number: 0, of: "media section") }
    let words = head.words
    guard words.count >= 4, let port = UInt16(words[1].prefix { $0 != "/" }) else {
      throw .value(number: head.number, of: "port, transport and payload types")
    }
    kind = String(words[0])
    self.port = port
    profile = String(words[2])
    formats = words[3...].map(String.init)
    isBundleOnly = lines.contains { $0.attribute == "bundle-only" }
    if let line = lines.first(where: { $0.attribute == "mid" }) {
      let value = line.attributeValue
      guard (1...255).contains(value.utf8.count), value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw .attribute(number: line.number, name: "mid", rule: "1 to 255 visible characters")
      }
      mid = String(value)
      midNumber = line.number
    } else {
      mid = nil
      midNumber = head.number
    }
  }
}
