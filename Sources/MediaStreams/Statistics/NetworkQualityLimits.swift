/// Limits of a network path for each grade; a path that exceeds all of them is `down`.
///
/// | grade | loss | round trip | jitter | bitrate |
/// |---|---|---|---|---|
/// | 1 excellent | 2 % | 200 ms | 20 ms | 90 % |
/// | 2 good | 5 % | 300 ms | 40 ms | 75 % |
/// | 3 poor | 10 % | 500 ms | 80 ms | 50 % |
/// | 4 bad | 20 % | 800 ms | 150 ms | 25 % |
/// | 5 very bad | 50 % | 3 s | 1 s | 10 % |
///
/// Source: G.114 for delays (150 ms one way suits most talk, 400 ms is the limit for planning). Losses are steps of
/// wideband PESQ of Opus with FEC: over 4 at 2 %, 3.9 at 5 %, 3.6 at 10 %, 2.6 at 20 %. Jitter and bitrate are a
/// choice.
public struct NetworkQualityLimits: Hashable, Sendable {
  /// The grade.
  public let quality: NetworkQuality
  /// Largest share of packets lost, 0...1.
  public let loss: Double
  /// Longest round trip, in milliseconds.
  public let roundTripMilliseconds: Double
  /// Largest interarrival jitter of RFC 3550, in milliseconds.
  public let jitterMilliseconds: Double
  /// Lowest bitrate, as a share of the requested one.
  public let bitrateShare: Double

  private init(_ quality: NetworkQuality, loss: Double, roundTrip: Double, jitter: Double, bitrateShare: Double) {
    self.quality = quality
    self.loss = loss
    roundTripMilliseconds = roundTrip
    jitterMilliseconds = jitter
    self.bitrateShare = bitrateShare
  }

  /// All grades, the best one first.
  public static let all = [
    NetworkQualityLimits(.excellent, loss: 0.02, roundTrip: 200, jitter: 20, bitrateShare: 0.9),
    NetworkQualityLimits(.good, loss: 0.05, roundTrip: 300, jitter: 40, bitrateShare: 0.75),
    NetworkQualityLimits(.poor, loss: 0.1, roundTrip: 500, jitter: 80, bitrateShare: 0.5),
    NetworkQualityLimits(.bad, loss: 0.2, roundTrip: 800, jitter: 150, bitrateShare: 0.25),
    NetworkQualityLimits(.veryBad, loss: 0.5, roundTrip: 3_000, jitter: 1_000, bitrateShare: 0.1),
  ]
}
