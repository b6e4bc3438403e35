import RTP

extension OpusStreamDescription {
  /// Reads one media description of SDP, which begins with its `m=` line; nil if it is not Opus audio.
  ///
  /// - Parameters:
  ///   - media: lines of the media description.
  ///   - sessionDirection: direction of the session, which applies unless the stream has its own.
  init?(_ media: ArraySlice<SDPLine>, sessionDirection: MediaDirection) throws(SDPError) {
    guard let head = media.first else { return nil }
    let words = head.words
    guard words.first == "audio" else { return nil }
    guard words.count >= 4, let port = UInt16(words[1].prefix { $0 != "/" }) else {
      throw .value(number: head.number, of: "port, transport and payload types")
    }
    guard let type = try Self.opusType(among: words[3...], of: media) else { return nil }
    guard let profile = RTPProfile(rawValue: String(words[2])) else { throw .profile(String(words[2])) }
    self.init(port: port, profile: profile, payloadType: type)
    telephoneEvents = Self.telephoneEvents(among: words[3...], of: media)
    redundancyPayloadType = Self.redundancyType(among: words[3...], of: media)
    direction = sessionDirection
    for line in media { try read(line) }
    let offered = media.filter { $0.attribute == "crypto" }
    if crypto.isEmpty, profile.isSecure || !offered.isEmpty {
      throw .noUsableCrypto(offered.map { CryptoAttribute.suiteName(in: $0.attributeValue) })
    }
  }

  /// Returns the first payload type that maps to Opus; nil if none does.
  private static func opusType(
    among types: ArraySlice<Substring>, of media: ArraySlice<SDPLine>
  ) throws(SDPError) -> UInt8? {
    let maps = media.lazy.filter { $0.attribute == "rtpmap" }.map { (line: $0, typed: $0.typed) }
    let lines = Dictionary(
      maps.filter { $0.typed.rest.split(separator: "/").first?.lowercased() == OpusRTP.encodingName }
        .map { ($0.typed.type, $0.line) }, uniquingKeysWith: { first, _ in first })
    for type in types {
      guard let line = lines[type] else { continue }
      let encoding = line.typed.rest.split(separator: "/")
      guard let number = UInt8(type), number < 128, encoding.count >= 2, encoding[1] == "48000",
        encoding.count == 2 || isChannelCount(encoding[2])
      else { throw .value(number: line.number, of: "mapping of Opus (opus/48000/2)") }
      guard DatagramKind.canTell(payloadType: number) else {
        throw .value(number: line.number, of: "payload type (64 to 95 look like RTCP)")
      }
      return number
    }
    return nil
  }

  /// Returns whether a number of channels is allowed. RFC 7587 requires 2 for every stream; some programs write 1, or
  /// nothing.
  private static func isChannelCount(_ word: Substring) -> Bool { word == "2" || word == "1" }

  /// Returns the payload type of RED with the stream's clock rate; nil without RED.
  private static func redundancyType(among types: ArraySlice<Substring>, of media: ArraySlice<SDPLine>) -> UInt8? {
    media.filter { $0.attribute == "rtpmap" }.compactMap { line -> UInt8? in
      let (type, rest) = line.typed
      let encoding = rest.split(separator: "/")
      guard types.contains(type), encoding.count >= 2, encoding[0].lowercased() == "red", encoding[1] == "48000"
      else { return nil }
      return UInt8(type).flatMap { $0 < 128 ? $0 : nil }
    }.first
  }

  /// Returns the format of key presses with the stream's clock rate, or else with any; nil without key presses.
  private static func telephoneEvents(
    among types: ArraySlice<Substring>, of media: ArraySlice<SDPLine>
  ) -> TelephoneEventFormat? {
    let formats = media.filter { $0.attribute == "rtpmap" }.compactMap { line -> TelephoneEventFormat? in
      let (type, rest) = line.typed
      let encoding = rest.split(separator: "/")
      guard types.contains(type), let number = UInt8(type), number < 128, encoding.count >= 2,
        encoding[0].lowercased() == TelephoneEventFormat.encodingName, let rate = Int(encoding[1]), rate > 0
      else { return nil }
      return TelephoneEventFormat(payloadType: number, clockRate: rate)
    }
    return formats.first { $0.clockRate == OpusRTP.clockRate } ?? formats.first
  }

  private mutating func read(_ line: SDPLine) throws(SDPError) {
    let type = "\(payloadType)"
    switch line.attribute {
    case "fmtp":
      if line.typed.type == type { parameters = OpusFormatParameters(parsing: line.typed.rest) }
    case "ptime": packetMilliseconds = Self.milliseconds(line)
    case "maxptime": maximumPacketMilliseconds = Self.milliseconds(line)
    case "crypto":
      guard let attribute = CryptoAttribute(text: line.attributeValue) else { break }
      // A malformed key is an error in the file, not an unsupported suite.
      do { _ = try attribute.makeKey() } catch { throw .value(number: line.number, of: "key") }
      crypto.append(attribute)
    case "extmap":
      if let mapping = HeaderExtensionMapping(text: line.attributeValue) { headerExtensions.append(mapping) }
    case "rtcp":
      let (port, address) = line.typed
      guard let port = UInt16(port), port != 0 else { throw .value(number: line.number, of: "port") }
      rtcpPort = port
      if !address.isEmpty {
        guard let address = NetworkAddress(text: address) else { throw .value(number: line.number, of: "address") }
        rtcpAddress = address
      }
    case "rtcp-mux": usesRTCPMux = true
    case "rtcp-rsize": usesReducedSizeRTCP = true
    case "rtcp-fb":
      if line.typed.type == type || line.typed.type == "*", line.typed.rest == "nack" { supportsNack = true }
    default: if let direction = line.direction { self.direction = direction }
    }
  }

  /// Returns a packet length in ms; nil for an invalid one, since an impossible preference is ignored.
  private static func milliseconds(_ line: SDPLine) -> Double? {
    guard let value = Double(line.attributeValue), value > 0, value <= 10_000 else { return nil }
    return value
  }
}
