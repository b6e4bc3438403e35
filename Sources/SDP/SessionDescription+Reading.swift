extension SessionDescription {
  /// Reads SDP. It takes the first usable audio stream in Opus, G.711 or L16, or else the first one. Streams that are
  /// switched off (by port 0 or as inactive) are not usable. Unknown content is ignored.
  ///
  /// - Throws: `SDPError`, with the number of the line if known; for several unusable streams, the error of the first.
  public init(parsing text: some StringProtocol) throws(SDPError) {
    let lines = try SDPLine.lines(of: text)
    guard let first = lines.first, first.letter == "v", first.value == "0" else { throw .version }
    let starts = lines.indices.filter { lines[$0].letter == "m" } + [lines.endIndex]
    let session = lines[..<starts[0]]
    let direction = session.lazy.compactMap(\.direction).last ?? .sendAndReceive
    var found: (media: ArraySlice<SDPLine>, audio: AudioStreamDescription)?
    var failure: SDPError?
    for (start, end) in zip(starts, starts.dropFirst()) where found?.audio.isSwitchedOff != false {
      let media = lines[start..<end]
      do throws(SDPError) {
        guard let audio = try AudioStreamDescription(media, sessionDirection: direction) else { continue }
        if found == nil || !audio.isSwitchedOff { found = (media, audio) }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure, found?.audio.isSwitchedOff != false { throw failure }
    guard let found else { throw .noAudio }
    try self.init(session: session, media: found.media, audio: found.audio)
  }

  private init(
    session: ArraySlice<SDPLine>, media: ArraySlice<SDPLine>, audio: AudioStreamDescription
  ) throws(SDPError) {
    // The stream's own address takes precedence over the session's.
    guard let line = media.first(where: { $0.letter == "c" }) ?? session.first(where: { $0.letter == "c" }) else {
      throw .noAddress
    }
    guard let address = NetworkAddress(text: line.value) else { throw .value(number: line.number, of: "address") }
    self.init(address: address, audio: audio)
    // The origin only names the session; a stream with a malformed one can still be heard.
    if let line = session.first(where: { $0.letter == "o" }), case let words = line.words.suffix(5), words.count == 5,
      let origin = NetworkAddress(text: words.suffix(3).joined(separator: " ")[...])
    {
      self.origin = origin
      // Numbers of any length are allowed; a number that does not fit does not name a session of this program.
      sessionID = UInt64(words[words.startIndex]) ?? 0
      version = UInt64(words[words.startIndex + 1]) ?? 0
    }
    // Other programs write an empty value or a space for a session without a name.
    if let line = session.first(where: { $0.letter == "s" }),
      !line.value.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    {
      name = String(line.value)
    }
  }
}
