import RTP

/// Reports of the far end of a network path; nil stands for an unknown value.
///
/// The program that speaks RTCP with that end creates it, and hands it to `AudioPipeline.setLinkFeedback(_:from:)`.
public struct LinkFeedback: Hashable, Sendable {
  /// Share of the sent packets that did not arrive since the report before, 0...1, regardless of later repair. Packets
  /// that reports do not reach any more are lost, too. Source: RFC 3550, section 6.4.1, fraction lost.
  public var sentLoss: Double?
  /// Difference of the sent packets' spacing at the far end, in milliseconds. Source: RFC 3550, section 6.4.1,
  /// interarrival jitter.
  public var sentJitterMilliseconds: Double?
  /// Round trip, in milliseconds. Source: RFC 3550, section 6.4.1, LSR and DLSR.
  public var roundTripMilliseconds: Double?
  /// Whether the far end has reported before, and nothing at all comes from it any more.
  public var isInterrupted: Bool
  /// Sent packets that the far end has reported on in all; nil if it does not count them. The loss of an interval
  /// follows from these, regardless of how many reports came in it and how far back they reach.
  public var sentPackets: SentPackets?

  /// Creates feedback from its parts.
  public init(
    sentLoss: Double? = nil, sentJitterMilliseconds: Double? = nil, roundTripMilliseconds: Double? = nil,
    isInterrupted: Bool = false, sentPackets: SentPackets? = nil
  ) {
    self.sentLoss = sentLoss
    self.sentJitterMilliseconds = sentJitterMilliseconds
    self.roundTripMilliseconds = roundTripMilliseconds
    self.isInterrupted = isInterrupted
    self.sentPackets = sentPackets
  }
}

extension LinkFeedback {
  /// Creates the mean of the known values from several ends; interrupted if all known ends are.
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
