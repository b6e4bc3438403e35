import RTP

/// Description of one audio stream and its destination, written to or read from SDP.
///
///     v=0
///     o=- 1 1 IN IP4 127.0.0.1
///     s=-
///     c=IN IP4 127.0.0.1
///     t=0 0
///     m=audio 5004 RTP/AVP 96
///     a=rtpmap:96 opus/48000/2
///
/// Source: RFC 8866.
public struct SessionDescription: Hashable, Sendable {
  /// Number that identifies the session, together with the address of its origin.
  public var sessionID: UInt64
  /// Version of the description, which increases with each change.
  public var version: UInt64
  /// Address of the description's origin.
  public var origin: NetworkAddress
  /// Name of the session.
  public var name: String
  /// Address to send packets to.
  public var address: NetworkAddress
  /// The stream.
  public var audio: AudioStreamDescription

  /// Creates a description from its parts. A session without a name has the name `-`, as RFC 8866 recommends.
  public init(
    sessionID: UInt64 = 0, version: UInt64 = 0, origin: NetworkAddress? = nil, name: String = "-",
    address: NetworkAddress, audio: AudioStreamDescription
  ) {
    self.sessionID = sessionID
    self.version = version
    self.origin = origin ?? address
    self.name = name
    self.address = address
    self.audio = audio
  }

  /// The description as SDP. With `audio.crypto` it contains the key in plain text.
  public var text: String {
    let type = audio.payloadType
    var lines = [
      "v=0", "o=- \(sessionID) \(version) \(origin.text)", "s=\(name.isEmpty ? "-" : name)",
      "c=\(address.connectionText)",
      "t=0 0",
      "m=audio \(audio.port) \(audio.profile.rawValue) \(type)",
      "a=rtpmap:\(type) \(audio.format)",
    ]
    if audio.format == .opus, !audio.parameters.text.isEmpty { lines.append("a=fmtp:\(type) \(audio.parameters.text)") }
    if let milliseconds = audio.packetMilliseconds { lines.append("a=ptime:\(Self.text(of: milliseconds))") }
    if let milliseconds = audio.maximumPacketMilliseconds { lines.append("a=maxptime:\(Self.text(of: milliseconds))") }
    lines += audio.crypto.map { "a=crypto:\($0.text)" }
    lines += audio.headerExtensions.map { "a=extmap:\($0.text)" }
    if let port = audio.rtcpPort {
      lines.append("a=rtcp:\(port)" + (audio.rtcpAddress.map { " \($0.text)" } ?? ""))
    }
    if audio.usesRTCPMux { lines.append("a=rtcp-mux") }
    if audio.usesReducedSizeRTCP { lines.append("a=rtcp-rsize") }
    if audio.supportsNack { lines.append("a=rtcp-fb:\(type) nack") }
    lines.append("a=\(audio.direction.rawValue)")
    // No part may begin a new line.
    return lines.map { $0.filter { !$0.isNewline } + "\r\n" }.joined()
  }

  private static func text(of milliseconds: Double) -> String {
    milliseconds == milliseconds.rounded() ? "\(Int(milliseconds))" : "\(milliseconds)"
  }
}
