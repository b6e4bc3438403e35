import NetworkIO
import Signalling

extension WebSocketLimits {
  /// The limits with a rate of messages that a client reaches only beyond the relay's limit of requests.
  ///
  /// The relay refuses with the name of its limit, and counts whole seconds: two full seconds may lie side by side. The
  /// WebSocket's own limit ends a flood without a name.
  ///
  /// The queue has space for the relay's limit of a session with all channels, and for the message that exceeds it. The
  /// relay ends a connection at the limit of its own session.
  ///
  /// Where an app id alone lets clients join, any web page that a user of this machine opens could: only pages of the
  /// relay's own host, and of allowed origins, may connect.
  func allowing(_ configuration: RelayConfiguration) -> WebSocketLimits {
    let limits = configuration.limits
    var raised = self
    let isOpen = configuration.apps.values.contains { $0.allowsAppIDOnly }
    let origins = configuration.allowedOrigins
    raised.origins = isOpen && !origins.contains("*") ? .ownHost(or: origins) : .any
    let requests = limits.requestsPerSecond(memberCount: limits.channelsPerSession)
    raised.messagesPerSecond = max(messagesPerSecond, 2 * requests)
    raised.messageBurst = max(messageBurst, 4 * requests)
    raised.maximumQueuedByteCount = max(
      maximumQueuedByteCount,
      limits.queuedByteCount(memberCount: limits.channelsPerSession) + MessageLimits.messageByteCount)
    return raised
  }
}
