public import Platform
public import RTP

/// Something that happened at an `RTPEndpoint`.
public enum RTPEndpointEvent: Hashable, Sendable {
  /// A source has begun to send, and is a user of the pipeline now.
  case sourceBegan(user: UInt32, ssrc: UInt32, format: RTPPayloadFormat, from: SocketAddress)
  /// A source has ended for this reason, and its user has left the pipeline.
  case sourceEnded(user: UInt32, ssrc: UInt32, SourceEnd)
  /// A key of a source's telephone was pressed and released.
  case keyPress(user: UInt32, KeyPress)
  /// Packets go to another address from now on.
  case remoteAddressChanged(SocketAddress)
  /// A source could not become a user of the pipeline, for this reason.
  case sourceRefused(ssrc: UInt32, reason: String)
}
