import WebRTC

/// Output of a connection that waits to be taken.
struct ConnectionOutput {
  var commands: [ChannelCommand] = []
  var datagrams: [ICEDatagram] = []
  var events: [ChannelEvent] = []
  /// Changes of users while the transport connects.
  var held: [ChannelEvent] = []
}
