/// Why a packet is none for a receiver.
enum PacketContentError: Error, BitwiseCopyable {
  /// No RTP, too long, or no payload of the codec's.
  case malformed
  /// Of another payload type than was agreed on.
  case otherPayloadType
}
