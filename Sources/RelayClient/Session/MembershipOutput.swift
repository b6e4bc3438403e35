import WebRTC

/// Output of a membership that waits to be taken.
struct MembershipOutput {
  var datagrams: [ICEDatagram] = []
  var events: [ChannelEvent] = []
  /// Changes of users while the transport connects.
  var held: [ChannelEvent] = []
}
