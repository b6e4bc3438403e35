/// Reason why a receiver cannot decode a packet.
enum PacketContentError: Error, BitwiseCopyable {
  /// The bytes are not RTP, are too long, or hold no payload of the codec.
  case malformed
  /// The packet has another payload type than agreed.
  case otherPayloadType
}
