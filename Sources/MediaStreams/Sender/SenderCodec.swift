public import OpusCodec

/// Codec of a sender's payloads.
public enum SenderCodec: Hashable, Sendable, BitwiseCopyable {
  /// Opus (RFC 7587).
  case opus(OpusOptions)
  /// No sound: source and sequence number, for runs about the protocol (`NullPayload`).
  case null(OpusOptions.PacketDuration)

  /// Bits per second; nil if the codec has none to choose.
  var bitrate: Int? {
    switch self {
    case .opus(let options): options.bitrate
    case .null: nil
    }
  }

  /// Duration of the sound in a packet.
  public var packetDuration: OpusOptions.PacketDuration {
    @_noLocks get {
      switch self {
      case .opus(let options): options.packetDuration
      case .null(let duration): duration
      }
    }
  }
}
