extension RTCPSession {
  /// News in an RTCP datagram.
  public struct News: Hashable, Sendable, BitwiseCopyable {
    /// Whether it reports on local packets; `takeDelivery` returns the assessment.
    public var hasReport = false
    /// Whether it has given the round trip.
    public var hasRoundTrip = false
    /// Whether it comes from the source of the received stream.
    public var isFromSource = false
    /// Whether the remote party sends a BYE.
    public var hasLeft = false

    @_noLocks
    init() {}
  }
}
