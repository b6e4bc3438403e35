/// How good a way through the network is, with the numbers that programs know.
///
/// `NetworkQualityLimits` has what each grade needs.
public enum NetworkQuality: Int, Hashable, Sendable, CaseIterable {
  /// Nothing is sent that way, or nobody has told yet how it arrives.
  case unknown = 0
  /// As good as no network in between.
  case excellent = 1
  /// Nobody hears a difference.
  case good = 2
  /// Flaws are heard, and people can talk.
  case poor = 3
  /// People can talk, not smoothly.
  case bad = 4
  /// People can hardly talk.
  case veryBad = 5
  /// People cannot talk; nothing, or next to nothing, arrives.
  case down = 6
  /// It cannot be found out.
  case unsupported = 7
  /// It is being found out.
  case detecting = 8

  /// The worst grade that one of the measurements gives; those that are nil do not count.
  ///
  /// - Parameters:
  ///   - loss: the share of packets lost, 0...1, before any repair.
  ///   - roundTripMilliseconds: the time there and back.
  ///   - jitterMilliseconds: RFC 3550's interarrival jitter.
  ///   - bitrateShare: the bitrate that is sent at, as a share of the one that was asked for.
  /// - Returns: `unknown` where all are nil.
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
