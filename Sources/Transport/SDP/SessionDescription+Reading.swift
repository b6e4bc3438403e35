extension SessionDescription {
  /// Reads SDP. Of several streams it takes the first of sound in Opus that is not switched off (by port 0), or else
  /// the first of them; what it does not know it passes over.
  ///
  /// Throws: what is wrong, with the number of the line.
  public init(parsing text: some StringProtocol) throws(SDPError) {
    let lines = try SDPLine.lines(of: text)
    guard let first = lines.first, first.letter == "v", first.value == "0" else { throw .version }
    let starts = lines.indices.filter { lines[$0].letter == "m" } + [lines.endIndex]
    let session = lines[..<starts[0]]
    var found: (media: ArraySlice<SDPLine>, audio: OpusStreamDescription)?
    for (start, end) in zip(starts, starts.dropFirst()) where found == nil || found?.audio.port == 0 {
      guard let audio = try OpusStreamDescription(session: session, media: lines[start..<end]) else { continue }
      if found == nil || audio.port != 0 { found = (lines[start..<end], audio) }
    }
    guard let found else { throw .noOpus }
    try self.init(session: session, media: found.media, audio: found.audio)
  }

  private init(
    session: ArraySlice<SDPLine>, media: ArraySlice<SDPLine>, audio: OpusStreamDescription
  ) throws(SDPError) {
    // The stream's own address comes before the session's.
    guard let line = media.first(where: { $0.letter == "c" }) ?? session.first(where: { $0.letter == "c" }) else {
      throw .noAddress
    }
    guard let address = NetworkAddress(text: line.value) else { throw .value(number: line.number, of: "address") }
    self.init(address: address, audio: audio)
    if let line = session.first(where: { $0.letter == "o" }) {
      let words = line.value.split(separator: " ")
      guard words.count == 6, let origin = NetworkAddress(text: words[3...].joined(separator: " ")[...]) else {
        throw .value(number: line.number, of: "origin")
      }
      self.origin = origin
      // Digits of any length are allowed; what does not fit names no session of ours.
      sessionID = UInt64(words[1]) ?? 0
      version = UInt64(words[2]) ?? 0
    }
    // Nothing, or a space, is how others write that there is no name.
    if let line = session.first(where: { $0.letter == "s" }), !line.value.allSatisfy(\.isWhitespace) {
      name = String(line.value)
    }
  }
}
