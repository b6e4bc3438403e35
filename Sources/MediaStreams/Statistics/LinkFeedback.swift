import RTP

/// What the far end of a way through the network tells about it; nil is what is not known.
///
/// Whoever speaks RTCP with that end makes it, and hands it to `AudioPipeline.setLinkFeedback(_:from:)`.
public struct LinkFeedback: Hashable, Sendable {
  /// The share of our packets that did not arrive there since the report before, 0...1, whatever was repaired later;
  /// what reports do not get to any more is lost, too. Source: RFC 3550, section 6.4.1, fraction lost.
  public var sentLoss: Double?
  /// How much the time from one of our packets to the next differs there, in milliseconds. Source: as above,
  /// interarrival jitter.
  public var sentJitterMilliseconds: Double?
  /// The time there and back, in milliseconds. Source: as above, LSR and DLSR.
  public var roundTripMilliseconds: Double?
  /// Whether the far end has told before, and nothing at all comes from it any more.
  public var isInterrupted: Bool
  /// Our packets that the far end has told of in all; nil where it does not count them. What was lost in an interval is
  /// by these, however many reports came in it and however far back they reach.
  public var retransmissionCache: RetransmissionCache?

  /// Feedback from its parts.
  public init(
    sentLoss: Double? = nil, sentJitterMilliseconds: Double? = nil, roundTripMilliseconds: Double? = nil,
    isInterrupted: Bool = false, retransmissionCache: RetransmissionCache? = nil
  ) {
    self.sentLoss = sentLoss
    self.sentJitterMilliseconds = sentJitterMilliseconds
    self.roundTripMilliseconds = roundTripMilliseconds
    self.isInterrupted = isInterrupted
    self.retransmissionCache = retransmissionCache
  }
}

extension LinkFeedback {
  /// What several ends tell, as one: the mean of what is known; interrupted where all are.
  package init(meanOf feedbacks: some Collection<LinkFeedback>) {
    func mean(_ field: KeyPath<LinkFeedback, Double?>) -> Double? {
      let known = feedbacks.compactMap { $0[keyPath: field] }
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
    let known = feedbacks.filter { $0 != LinkFeedback() }
    let isInterrupted = !known.isEmpty && known.allSatisfy(\.isInterrupted)
    self.init(
      sentLoss: mean(\.sentLoss), sentJitterMilliseconds: mean(\.sentJitterMilliseconds),
      roundTripMilliseconds: mean(\.roundTripMilliseconds), isInterrupted: isInterrupted)
  }
}
