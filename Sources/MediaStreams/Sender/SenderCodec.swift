public import OpusCodec

/// How a sender makes its payloads.
public enum SenderCodec: Hashable, Sendable, BitwiseCopyable {
  /// Opus (RFC 7587).
  case opus(OpusOptions)
  /// No sound: source and sequence number, for runs that are about the protocol (`NullPayload`).
  case null(OpusOptions.PacketDuration)

  /// Bits per second; nil where the codec has none to choose.
  var bitrate: Int? {
    switch self {
    case .opus(let options): options.bitrate
    case .null: nil
    }
  }

  /// How much sound a packet carries.
  public var packetDuration: OpusOptions.PacketDuration {
    @_noLocks get {
      switch self {
      case .opus(let options): options.packetDuration
      case .null(let duration): duration
      }
    }
  }
}
