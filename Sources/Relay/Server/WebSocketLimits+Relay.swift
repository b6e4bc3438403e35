import NetworkIO

extension WebSocketLimits {
  /// The limits with a rate of messages that a client reaches only beyond the relay's limit of requests.
  ///
  /// The relay refuses with the name of its limit, and counts whole seconds: two full seconds may lie side by side. The
  /// WebSocket's own limit ends a flood without a name.
  ///
  /// The queue has space for the answers to the joins of a session with all channels. The messages of users to a client
  /// that no longer reads fit beside them.
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
    let queued = limits.queuedByteCount(memberCount: limits.channelsPerSession)
    let silenceSeconds = 3 * configuration.keepAliveNanoseconds / 1_000_000_000 + 1
    raised.maximumQueuedByteCount = max(
      maximumQueuedByteCount, queued + queued / 2 + silenceSeconds * UnreadMessages.bytesPerSecond)
    return raised
  }
}
