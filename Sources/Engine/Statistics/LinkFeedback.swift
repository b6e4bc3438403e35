/// What the far end of a way through the network tells about it; nil is what is not known.
///
/// Whoever speaks RTCP with that end makes it, and hands it to `AudioPipeline.setLinkFeedback(_:from:)`.
public struct LinkFeedback: Hashable, Sendable {
  /// The share of our packets that did not arrive there since the report before, 0...1, whatever was repaired later.
  /// Source: RFC 3550, section 6.4.1, fraction lost.
  public var sentLoss: Double?
  /// How much the time from one of our packets to the next differs there, in milliseconds. Source: as above, interarrival
  /// jitter.
  public var sentJitterMilliseconds: Double?
  /// The time there and back, in milliseconds. Source: as above, LSR and DLSR.
  public var roundTripMilliseconds: Double?

  /// Feedback from its parts.
  public init(
    sentLoss: Double? = nil, sentJitterMilliseconds: Double? = nil, roundTripMilliseconds: Double? = nil
  ) {
    self.sentLoss = sentLoss
    self.sentJitterMilliseconds = sentJitterMilliseconds
    self.roundTripMilliseconds = roundTripMilliseconds
  }
}

extension LinkFeedback {
  /// What several ends tell, as one: the mean of what is known.
  init(meanOf feedbacks: some Collection<LinkFeedback>) {
    func mean(_ field: KeyPath<LinkFeedback, Double?>) -> Double? {
      let known = feedbacks.compactMap { $0[keyPath: field] }
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
    self.init(
      sentLoss: mean(\.sentLoss), sentJitterMilliseconds: mean(\.sentJitterMilliseconds),
      roundTripMilliseconds: mean(\.roundTripMilliseconds))
  }
}
