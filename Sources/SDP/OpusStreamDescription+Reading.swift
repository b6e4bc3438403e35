import RTP

extension OpusStreamDescription {
  /// Reads one of SDP's media, which begins with its `m=` line; nil = it is no sound in Opus.
  ///
  /// - Parameter sessionDirection: what is said of the whole session holds unless the stream says otherwise.
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

  /// The first of the payload types that is mapped to Opus.
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

  /// RFC 7587 wants 2 whatever is sent; some programs say 1, or nothing.
  private static func isChannelCount(_ word: Substring) -> Bool { word == "2" || word == "1" }

  /// RED on the stream's clock.
  private static func redundancyType(among types: ArraySlice<Substring>, of media: ArraySlice<SDPLine>) -> UInt8? {
    media.filter { $0.attribute == "rtpmap" }.compactMap { line -> UInt8? in
      let (type, rest) = line.typed
      let encoding = rest.split(separator: "/")
      guard types.contains(type), encoding.count >= 2, encoding[0].lowercased() == "red", encoding[1] == "48000"
      else { return nil }
      return UInt8(type).flatMap { $0 < 128 ? $0 : nil }
    }.first
  }

  /// Key presses on the stream's clock, or else on any.
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
      // A key that is none is an error of the file, not a way that is not known here.
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

  /// Nil for what is no length of packets: a wish that nobody can meet is none.
  private static func milliseconds(_ line: SDPLine) -> Double? {
    guard let value = Double(line.attributeValue), value > 0, value <= 10_000 else { return nil }
    return value
  }
}
