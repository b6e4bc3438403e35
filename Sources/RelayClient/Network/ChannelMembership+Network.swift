import WebRTC

/// A membership and the datagrams that carry its media.
extension ChannelMembership {
  /// Sends the datagrams, or drops them without a network, and passes the events on.
  ///
  /// - Returns: Whether there were any events.
  package func flush(to network: (any MediaNetwork)?, onEvent: (ChannelEvent) -> Void) -> Bool {
    while let datagram = takeDatagram() {
      datagram.bytes.withUnsafeBytes { network?.send($0, to: datagram.address) }
    }
    var isActive = false
    while let event = takeEvent() {
      isActive = true
      onEvent(event)
    }
    return isActive
  }
}
