import NetworkIO

extension WebSocketLimits {
  /// The limits with a rate of messages that a client reaches only beyond the relay's limit of requests.
  ///
  /// The relay refuses with the name of its limit, and counts whole seconds: two full seconds may lie side by side. The
  /// WebSocket's own limit ends a flood without a name.
  func allowing(_ limits: RelayLimits) -> WebSocketLimits {
    var raised = self
    raised.messagesPerSecond = max(messagesPerSecond, 2 * limits.requestsPerSecond)
    raised.messageBurst = max(messageBurst, 4 * limits.requestsPerSecond)
    return raised
  }
}
