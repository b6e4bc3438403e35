import RTP

extension AudioSection {
  /// RTP profiles of WebRTC. Source: RFC 8829, section 5.1.2.
  static let profiles: Set<String> = [
    "UDP/TLS/RTP/SAVPF", "UDP/TLS/RTP/SAVP", "TCP/DTLS/RTP/SAVPF", "TCP/DTLS/RTP/SAVP", "TCP/TLS/RTP/SAVPF",
    "TCP/TLS/RTP/SAVP", "RTP/SAVPF", "RTP/SAVP", "RTP/AVPF", "RTP/AVP",
  ]

  /// Creates an audio section from its lines; nil without a usable payload type of Opus.
  ///
  /// - Parameters:
  ///   - head: first line of the section, already checked.
  ///   - session: direction and header extensions of the session part.
  init?(_ head: MediaLine, _ lines: ArraySlice<SDPLine>, session: SessionAttributes) throws(SDPError) {
    let mappings = Self.mappings(among: head.formats, of: lines)
    let opus = mappings.filter { $0.encoding == "opus" && $0.clockRate == 48_000 && (1...2).contains($0.channels) }
    guard !opus.isEmpty else { return nil }
    self.init(
      mid: head.mid, port: head.port, profile: head.profile, opus: opus.map { OpusPayloadType(payloadType: $0.type) })
    isBundleOnly = head.isBundleOnly
    direction = session.direction
    telephoneEvents = mappings.filter { $0.encoding == TelephoneEventFormat.encodingName }
      .map { TelephoneEventFormat(payloadType: $0.type, clockRate: $0.clockRate) }
    for line in lines { try read(line) }
    for mapping in session.headerExtensions { add(mapping) }
  }

  private struct Mapping {
    let type: UInt8
    let encoding: String
    let clockRate: Int
    let channels: Int
  }

  /// Returns the mappings of formats in their order; the first of a repeated type applies. Types that look like RTCP on
  /// a shared port are left out, and so are malformed ones.
  private static func mappings(among formats: [String], of lines: ArraySlice<SDPLine>) -> [Mapping] {
    var found: [Substring: Mapping] = [:]
    for line in lines where line.attribute == "rtpmap" {
      let words = line.typed.rest.split(separator: "/")
      guard found[line.typed.type] == nil, let type = UInt8(line.typed.type), type < 128,
        DatagramKind.canTell(payloadType: type), words.count >= 2, let rate = Int(words[1]), rate > 0
      else { continue }
      found[line.typed.type] = Mapping(
        type: type, encoding: words[0].lowercased(), clockRate: rate,
        channels: words.count > 2 ? Int(words[2]) ?? 0 : 1)
    }
    return formats.compactMap { found.removeValue(forKey: $0[...]) }
  }

  private mutating func read(_ line: SDPLine) throws(SDPError) {
    switch line.attribute {
    case "fmtp":
      for index in opus.indices where "\(opus[index].payloadType)" == line.typed.type {
        opus[index].parameters = OpusFormatParameters(parsing: line.typed.rest)
      }
    case "extmap":
      if let mapping = HeaderExtensionMapping(text: line.attributeValue) { add(mapping) }
    case "rtcp-fb": if let value = RTCPFeedback(line) { feedback.append(value) }
    case "msid": if let stream = MediaStreamID(line.attributeValue) { streams.append(stream) }
    case "ssrc": try readSource(line)
    default: if let direction = line.direction { self.direction = direction }
    }
  }

  /// Adds a header extension, unless its name or number is there already.
  private mutating func add(_ mapping: HeaderExtensionMapping) {
    guard !headerExtensions.contains(where: { $0.uri == mapping.uri || $0.identifier == mapping.identifier }) else {
      return
    }
    headerExtensions.append(mapping)
  }

  private mutating func readSource(_ line: SDPLine) throws(SDPError) {
    let (number, attribute) = line.typed
    guard let ssrc = UInt32(number) else {
      throw .attribute(number: line.number, name: "ssrc", rule: "a number below 2^32 and an attribute")
    }
    let index = sources.firstIndex { $0.ssrc == ssrc } ?? sources.endIndex
    if index == sources.endIndex { sources.append(StreamSource(ssrc: ssrc)) }
    if attribute.hasPrefix("cname:") { sources[index].cname = String(attribute.dropFirst(6)) }
  }
}
