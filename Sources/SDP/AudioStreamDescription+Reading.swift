import RTP

extension AudioStreamDescription {
  /// Reads one media description of SDP, which begins with its `m=` line; nil if it is not audio in a
  /// known format.
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
    guard let (type, format) = try Self.format(among: words[3...], of: media) else { return nil }
    guard let profile = RTPProfile(rawValue: String(words[2])) else { throw .profile(String(words[2])) }
    self.init(port: port, profile: profile, payloadType: type, format: format)
    // A set: a list of types would be searched for each of as many mappings.
    let types = Set(words[3...])
    telephoneEvents = Self.telephoneEvents(among: types, of: media, clockRate: format.clockRate)
    redundancyPayloadType = Self.redundancyType(among: types, of: media, clockRate: format.clockRate)
    direction = sessionDirection
    for line in media { try read(line) }
    let offered = media.filter { $0.attribute == "crypto" }
    if crypto.isEmpty, profile.isSecure || !offered.isEmpty {
      throw .noUsableCrypto(offered.map { CryptoAttribute.suiteName(in: $0.attributeValue) })
    }
  }

  /// Returns the first payload type with a known format, and the format; nil if there is none.
  private static func format(
    among types: ArraySlice<Substring>, of media: ArraySlice<SDPLine>
  ) throws(SDPError) -> (UInt8, RTPPayloadFormat)? {
    let maps = Dictionary(
      media.filter { $0.attribute == "rtpmap" }.map { ($0.typed.type, $0) }, uniquingKeysWith: { first, _ in first })
    for type in types {
      guard let line = maps[type] else {
        // Static types need no mapping.
        if let number = UInt8(type), let format = RTPPayloadFormat(staticPayloadType: number) {
          return (number, format)
        }
        continue
      }
      let mapping = line.typed.rest.split(separator: "/")
      guard let encoding = encoding(named: mapping.first) else { continue }
      guard let format = format(encoding, mapping.dropFirst()) else {
        // Other streams may offer rates of plain samples that nobody here can play, besides those that we can.
        if encoding == .opus { throw .value(number: line.number, of: "mapping of Opus (opus/48000/2)") }
        continue
      }
      guard let number = UInt8(type), number < 128 else {
        throw .value(number: line.number, of: "mapping of \(encoding.name)")
      }
      guard DatagramKind.canTell(payloadType: number) else {
        throw .value(number: line.number, of: "payload type (64 to 95 look like RTCP)")
      }
      return (number, format)
    }
    return nil
  }

  private static func encoding(named name: Substring?) -> RTPPayloadFormat.Encoding? {
    guard let name else { return nil }
    return RTPPayloadFormat.Encoding.allCases.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Returns the format of a mapping's rate and channels; nil if there is none.
  private static func format(
    _ encoding: RTPPayloadFormat.Encoding, _ words: ArraySlice<Substring>
  ) -> RTPPayloadFormat? {
    guard let rate = words.first.flatMap({ Int($0) }) else { return nil }
    let channels = words.dropFirst().first
    if encoding == .opus, let channels, !isChannelCount(channels) { return nil }
    guard let count = channels.map({ Int($0) }) ?? 1 else { return nil }
    return RTPPayloadFormat(encoding, clockRate: rate, channelCount: count)
  }

  /// Returns whether a number of channels is allowed. RFC 7587 requires 2 for every stream; some programs write 1, or
  /// nothing.
  private static func isChannelCount(_ word: Substring) -> Bool { word == "2" || word == "1" }

  /// Returns the payload type of RED with the stream's clock rate; nil without RED.
  private static func redundancyType(
    among types: Set<Substring>, of media: ArraySlice<SDPLine>, clockRate: Int
  ) -> UInt8? {
    media.filter { $0.attribute == "rtpmap" }.compactMap { line -> UInt8? in
      let (type, rest) = line.typed
      let encoding = rest.split(separator: "/")
      guard types.contains(type), encoding.count >= 2, encoding[0].lowercased() == "red", encoding[1] == "\(clockRate)"
      else { return nil }
      return UInt8(type).flatMap { $0 < 128 ? $0 : nil }
    }.first
  }

  /// Returns the format of key presses with the stream's clock rate, or else with any; nil without key presses.
  private static func telephoneEvents(
    among types: Set<Substring>, of media: ArraySlice<SDPLine>, clockRate: Int
  ) -> TelephoneEventFormat? {
    let formats = media.filter { $0.attribute == "rtpmap" }.compactMap { line -> TelephoneEventFormat? in
      let (type, rest) = line.typed
      let encoding = rest.split(separator: "/")
      guard types.contains(type), let number = UInt8(type), number < 128, encoding.count >= 2,
        encoding[0].lowercased() == TelephoneEventFormat.encodingName, let rate = Int(encoding[1]), rate > 0
      else { return nil }
      return TelephoneEventFormat(payloadType: number, clockRate: rate)
    }
    return formats.first { $0.clockRate == clockRate } ?? formats.first
  }

  private mutating func read(_ line: SDPLine) throws(SDPError) {
    let type = "\(payloadType)"
    switch line.attribute {
    case "fmtp":
      if line.typed.type == type, format == .opus { parameters = OpusFormatParameters(parsing: line.typed.rest) }
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
