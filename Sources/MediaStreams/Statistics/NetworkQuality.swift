/// Quality of a path through the network, with the numbers that programs know.
///
/// `NetworkQualityLimits` has the limits of each grade.
public enum NetworkQuality: Int, Hashable, Sendable, CaseIterable {
  /// Nothing is sent on that path, or nobody has reported yet how it arrives.
  case unknown = 0
  /// As good as without a network in between.
  case excellent = 1
  /// Nobody hears a difference.
  case good = 2
  /// Flaws are audible, and people can talk.
  case poor = 3
  /// People can talk, not smoothly.
  case bad = 4
  /// People can hardly talk.
  case veryBad = 5
  /// People cannot talk; nothing, or next to nothing, arrives.
  case down = 6
  /// The quality cannot be determined.
  case unsupported = 7
  /// The quality is being determined.
  case detecting = 8

  /// Creates the worst grade that one of the measurements gives; those that are nil do not count. It is `unknown` if
  /// all are nil.
  ///
  /// - Parameters:
  ///   - loss: Share of packets lost, 0...1, before any repair.
  ///   - roundTripMilliseconds: Round trip, in milliseconds.
  ///   - jitterMilliseconds: Interarrival jitter of RFC 3550, in milliseconds.
  ///   - bitrateShare: Bitrate in use, as a share of the requested one.
  public init(
    loss: Double? = nil, roundTripMilliseconds: Double? = nil, jitterMilliseconds: Double? = nil,
    bitrateShare: Double? = nil
  ) {
    guard loss != nil || roundTripMilliseconds != nil || jitterMilliseconds != nil || bitrateShare != nil else {
      self = .unknown
      return
    }
    let limits = NetworkQualityLimits.all.first { limits in
      loss ?? 0 <= limits.loss && roundTripMilliseconds ?? 0 <= limits.roundTripMilliseconds
        && jitterMilliseconds ?? 0 <= limits.jitterMilliseconds && bitrateShare ?? 1 >= limits.bitrateShare
    }
    self = limits?.quality ?? .down
  }
}
