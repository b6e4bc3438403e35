extension ICECandidate {
  /// Value of SDP's attribute: `candidate:1 1 udp 2130706431 192.0.2.1 5004 typ host`.
  public var text: String {
    let fields = ["candidate:\(foundation)", "\(component)", transport, "\(priority)", host, "\(port)", "typ"]
    return (fields + [kind.rawValue] + attributes).joined(separator: " ")
  }

  /// Reads the text of SDP, with or without `a=` before it.
  ///
  /// - Returns: Nil if the text is not a candidate, or its kind is unknown; the caller ignores it.
  public init?(parsing text: some StringProtocol) {
    // The longest candidates, with a name for a host, have far fewer characters.
    guard text.utf8.count <= 1024 else { return nil }
    // Bytes, as a character may hold a space or a line end and more.
    let words = text.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }.map { String(decoding: $0, as: UTF8.self) }
    guard words.count >= 8, words.allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }),
      let first = Self.foundation(of: words[0])
    else { return nil }
    guard let component = Int(words[1]), (1...256).contains(component), let priority = UInt32(words[3]),
      let port = UInt16(words[5]), words[6].lowercased() == "typ",
      let kind = ICECandidateKind(rawValue: words[7].lowercased())
    else { return nil }
    foundation = first
    self.component = component
    transport = words[2].lowercased()
    self.priority = priority
    host = words[4]
    self.port = port
    self.kind = kind
    attributes = Array(words[8...])
  }

  private static func foundation(of word: String) -> String? {
    let name = word.hasPrefix("a=") ? word.dropFirst(2) : word[...]
    guard name.hasPrefix("candidate:") else { return nil }
    let foundation = name.dropFirst("candidate:".count)
    return ICECredentials.isText(foundation, of: 1...32) ? String(foundation) : nil
  }
}
