package import RTP

/// Kind of a packet that a source has taken. Valid as long as its bytes.
package enum TakenPacket {
  /// A packet to be decoded, of the stream or not; `earlier` packets came before it from the source that is received
  /// from now on.
  case sound(PacketContent, PacketClassification, earlier: [PendingPackets.Packet])
  /// A packet of the stream that holds nothing to be decoded.
  case soundless
  /// A packet that is not to be decoded and not of the stream; nil if it is not RTP.
  case foreign(RTPHeader?)
  /// A packet longer than 1500 bytes, left out.
  case oversized
}
