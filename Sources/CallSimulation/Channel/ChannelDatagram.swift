import Metering
import Platform

/// A datagram between a user and the relay.
struct ChannelDatagram {
  let bytes: [UInt8]
  /// The user's address at the time of sending.
  let address: SocketAddress
  /// The voice packet in it to the relay, before its encryption; nil for anything else.
  var voice: CallPacket?
  /// Speaker of a voice packet, with the channel; nil for anything else.
  var speaker: SpeakerID?
}
