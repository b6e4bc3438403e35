extension WebRTCDescription {
  /// Reads an offer or an answer. Unknown attributes are ignored. A section takes missing attributes of ICE and DTLS
  /// from the session part, or else from the first section of its bundle.
  ///
  /// - Throws: `SDPError`: for a malformed line, its number; for a limit, its name and value.
  public init(parsing text: some StringProtocol) throws(SDPError) {
    guard text.utf8.count <= Self.maximumByteCount else { throw .tooMany("bytes", limit: Self.maximumByteCount) }
    let lines = try SDPLine.lines(of: text)
    guard let first = lines.first, first.letter == "v", first.value == "0" else { throw .version }
    let starts = lines.indices.filter { lines[$0].letter == "m" } + [lines.endIndex]
    guard starts.count - 1 <= Self.maximumSectionCount else {
      throw .tooMany("media sections", limit: Self.maximumSectionCount)
    }
    try Self.checkCount(lines[..<starts[0]])
    let session = try SessionAttributes(lines[..<starts[0]])
    var parts: [Part] = []
    var mids: Set<String> = []
    for (start, end) in zip(starts, starts.dropFirst()) {
      let part = try Part(lines[start..<end], session: session)
      if let mid = part.head.mid, !mids.insert(mid).inserted { throw .repeatedMid(number: part.head.midNumber) }
      parts.append(part)
    }
    // A section belongs to one bundle; a second one that names it is ignored.
    var free = mids
    let bundles = session.bundles.map { $0.filter { free.remove($0) != nil } }.filter { !$0.isEmpty }
    Self.share(&parts, bundles: bundles)
    let sections = parts.map(\.section)
    guard sections.count(where: { $0.kind == "audio" }) <= Self.maximumAudioSectionCount else {
      throw .tooMany("audio sections", limit: Self.maximumAudioSectionCount)
    }
    let origin = lines[..<starts[0]].first { $0.letter == "o" }?.words ?? []
    self.init(
      sessionID: origin.count > 1 ? UInt64(origin[1]) ?? 0 : 0, version: origin.count > 2 ? UInt64(origin[2]) ?? 0 : 0,
      isLite: session.isLite, sections: sections, bundles: bundles)
  }

  /// A media section before its bundle is known.
  private struct Part {
    let head: MediaLine
    var transport = TransportLines()
    let audio: AudioSection?
    let refusal: RefusalReason

    init(_ lines: ArraySlice<SDPLine>, session: SessionAttributes) throws(SDPError) {
      try checkCount(lines)
      head = try MediaLine(lines)
      for line in lines { try transport.read(line) }
      transport.inherit(session.transport)
      if head.kind != "audio" {
        (audio, refusal) = (nil, .notAudio)
      } else if head.port == 0 && !head.isBundleOnly {
        (audio, refusal) = (nil, .switchedOff)
      } else if !AudioSection.profiles.contains(head.profile) {
        (audio, refusal) = (nil, .profile)
      } else {
        (audio, refusal) = (try AudioSection(head, lines, session: session), .noOpus)
      }
    }

    var section: MediaSection {
      guard var audio else {
        return .refused(
          RefusedSection(
            kind: head.kind, profile: head.profile, formats: head.formats, mid: head.mid, reason: refusal))
      }
      audio.transport = transport.transport
      audio.usesRTCPMux = transport.usesRTCPMux
      audio.usesReducedSizeRTCP = transport.usesReducedSizeRTCP
      return .audio(audio)
    }
  }

  private static func checkCount(_ lines: ArraySlice<SDPLine>) throws(SDPError) {
    guard lines.count(where: { $0.letter == "a" }) <= maximumAttributeCount else {
      throw .tooMany("attributes in one section", limit: maximumAttributeCount)
    }
  }

  /// Gives the sections of each bundle the transport of its first section that has one.
  private static func share(_ parts: inout [Part], bundles: [[String]]) {
    var indices: [String: Int] = [:]
    for (index, part) in parts.enumerated() { if let mid = part.head.mid { indices[mid] = index } }
    for bundle in bundles {
      let members = bundle.compactMap { indices[$0] }
      guard let tagged = members.first(where: { parts[$0].transport.usernameFragment != nil }) else { continue }
      let transport = parts[tagged].transport
      for index in members where index != tagged { parts[index].transport.inherit(transport) }
    }
  }
}
