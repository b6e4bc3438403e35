public import Platform
public import SRTP

/// Change of a media transport.
public enum MediaTransportEvent: Hashable, Sendable {
  /// Packets can be sent and received, protected by this suite.
  case connected(SRTPSuite)
  /// Packets go to another address from now on.
  case moved(SocketAddress)
  /// The transport is over; a new one is needed.
  case failed(MediaTransportError)
}
