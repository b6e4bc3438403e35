package import Platform

extension LatencyHistogram {
  /// Histogram of joins: from 5 ms to 10 s, after which clients give up.
  package static var joinTimes: LatencyHistogram {
    LatencyHistogram(bounds: [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000].map { $0 * 1_000_000 })
  }

  /// Histogram of forwarding: from 100 µs to 250 ms, which is the delay of a jitter buffer at its limit.
  package static var forwardingDelays: LatencyHistogram {
    LatencyHistogram(
      bounds: [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000].map { $0 * 1_000 })
  }
}
