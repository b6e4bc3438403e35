package import RTP

/// What a packet has turned out to be. Valid as long as its bytes.
package enum TakenPacket {
  /// One to be decoded, of the stream or not; `earlier` came before it from the source that is heard from now on.
  case sound(PacketContent, PacketClassification, earlier: [PendingPackets.Packet])
  /// One of the stream that holds nothing to be decoded.
  case soundless(RTPHeader)
  /// Neither; nil: no RTP.
  case foreign(RTPHeader?)
  /// Longer than 1500 bytes, and left out.
  case oversized
}
