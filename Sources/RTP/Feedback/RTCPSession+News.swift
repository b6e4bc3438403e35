extension RTCPSession {
  /// What a datagram has brought.
  public struct News: Hashable, Sendable, BitwiseCopyable {
    /// Whether it has reported on one's own packets; `takeDelivery` says what that means.
    public var hasReport = false
    /// Whether it has told how long the way there and back takes.
    public var hasRoundTrip = false
    /// Whether it is from who sends the stream that is received.
    public var isFromSource = false
    /// Whether the other side says goodbye.
    public var hasLeft = false

    @_noLocks
    init() {}
  }
}
