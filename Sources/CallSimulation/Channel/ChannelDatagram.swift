import Platform

/// A datagram between a user and the relay.
struct ChannelDatagram {
  let bytes: [UInt8]
  /// The user's address at the time of sending.
  let address: SocketAddress
  /// The voice packet in it, before its encryption; nil for anything else.
  var voice: CallPacket?
  /// Speaker of a voice packet to a listener; nil for anything else.
  var speaker: UInt32?
}
