import JSON

/// Offer or answer for the media of a channel.
public enum MediaDescription: Hashable, Sendable {
  /// Parameters of ICE and DTLS, for Opus in RTP by this package's conventions.
  case transport(TransportParameters)
  /// Session description, for other clients. It holds a password, so it is not printed.
  case sdp(SecretText)

  init(_ fields: MessageFields) throws(MessageError) {
    switch (try fields.object("transport"), try fields.secret("sdp", bytes: 1...MessageLimits.sdpByteCount)) {
    case (let transport?, nil): self = .transport(try TransportParameters(transport))
    case (nil, let sdp?): self = .sdp(sdp)
    case (nil, nil): throw fields.missing("transport", "sdp")
    default: throw fields.error("sdp", "absent beside 'transport'; describe the media one way")
    }
  }

  func write(to json: inout JSONWriter) {
    switch self {
    case .transport(let transport): json.object("transport") { transport.write(to: &$0) }
    case .sdp(let sdp): json.field("sdp", sdp.text)
    }
  }
}
