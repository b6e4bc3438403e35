import Glibc

/// Finds the gain before a limiter with which a sound gets a wanted loudness.
///
/// Up to a known gain, the knee, nothing is limited, and a dB of gain is a LU of loudness. From there the limiter takes
/// a share. The first estimate assumes a usual share. Further trials are of several gains at once: the estimate, and
/// gains around it. While a limiter holds loud clicks, the loudness rises little, and faster once the rest is as loud.
struct GainSearch {
  /// Gain by which the estimates exceed the plain difference at most, in dB: a sound that needs more cannot have the
  /// loudness.
  static let longestReach = 24.0
  /// Loudness in LU for a dB of gain above the knee, as far as the first estimate knows.
  private static let usualSlope = 0.8

  /// Best estimate of the gain, in dB.
  private(set) var gain: Double
  /// Gains of the next trial, in dB; the first one is the estimate.
  private(set) var candidates: [Double]
  private let target: Double
  /// Gain up to which nothing is limited, and the loudness with it.
  private let knee: (gain: Double, loudness: Double)
  /// Gain with which the loudness is certainly not above the target.
  private let least: Double
  private let largest: Double
  private var trials: [(gain: Double, loudness: Double)] = []

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - target: wanted loudness, in LUFS.
  ///   - loudness: loudness without a gain, in LUFS.
  ///   - headroom: largest gain that an absent limiter allows, in dB.
  ///   - knee: gain from which on a limiter acts, in dB.
  init(target: Double, loudness: Double, headroom: Double, knee: Double) {
    self.target = target
    self.knee = (knee, loudness + knee)
    least = target - loudness
    largest = least + Self.longestReach
    gain = least <= headroom ? least : min(knee + (least - knee) / Self.usualSlope, largest)
    candidates = [gain]
  }

  /// Gain of the trial that came nearest to the target; the first estimate before any.
  var nearestGain: Double { sorted.first?.gain ?? gain }

  /// Whether the largest gain is not enough.
  var isExhausted: Bool { trials.contains { $0.gain >= largest && $0.loudness < target } }

  /// Whether the estimate lies so near to trials that it needs none of its own.
  var isCertain: Bool {
    guard let nearest = sorted.first else { return false }
    if let (below, above) = bracket { return above.loudness - below.loudness <= 0.8 || above.gain - below.gain <= 0.3 }
    return abs(nearest.gain - gain) <= 0.2
  }

  /// Takes the loudness of each candidate, in LUFS.
  mutating func add(_ loudnesses: [Double]) {
    trials += zip(candidates, loudnesses).map { ($0, $1) }
    var estimate = (trials.count == 1 ? nil : curve()) ?? line()
    let nearest = sorted[0]
    guard let (below, above) = bracket else {
      gain = min(max(estimate, least), largest)
      let step = gain - nearest.gain
      let others = step > 0 ? [nearest.gain + step / 2, min(nearest.gain + 2 * step, largest), largest] : [least]
      candidates = [gain] + others
      return
    }
    let width = above.gain - below.gain
    if !(below.gain...above.gain).contains(estimate) {
      estimate = below.gain + width * (target - below.loudness) / (above.loudness - below.loudness)
    }
    gain = estimate
    candidates = [gain] + [0.25, 0.5, 0.75].map { below.gain + width * $0 }
  }

  /// The nearest trials on both sides of the target; nil while one side has none.
  private var bracket: (below: (gain: Double, loudness: Double), above: (gain: Double, loudness: Double))? {
    guard let above = trials.filter({ $0.loudness > target }).min(by: { $0.gain < $1.gain }),
      let below = trials.filter({ $0.loudness <= target && $0.gain < above.gain }).max(by: { $0.gain < $1.gain })
    else { return nil }
    return (below, above)
  }

  private var sorted: [(gain: Double, loudness: Double)] {
    trials.sorted { abs($0.loudness - target) < abs($1.loudness - target) }
  }

  /// Returns the gain on the curve y = b ln(1 + x / a) through the two nearest trials; nil if they lie on none.
  ///
  /// x is the gain above the knee, y the loudness above the knee's.
  private func curve() -> Double? {
    let points = sorted.prefix(2).map { (x: $0.gain - knee.gain, y: $0.loudness - knee.loudness) }
    let (near, far) = points[0].x < points[1].x ? (points[0], points[1]) : (points[1], points[0])
    guard near.x > 0, near.y > 0 else { return nil }
    // The larger a is, the straighter is the curve.
    func isTooBent(_ a: Double) -> Bool { log1p(far.x / a) / log1p(near.x / a) < far.y / near.y }
    var (low, high) = (1e-6, 1e6)
    guard isTooBent(low), !isTooBent(high) else { return nil }
    for _ in 0..<100 {
      let middle = (low * high).squareRoot()
      if isTooBent(middle) { low = middle } else { high = middle }
    }
    let b = near.y / log1p(near.x / low)
    return knee.gain + low * expm1(min((target - knee.loudness) / b, 100))
  }

  /// Returns the gain on the line through the two nearest trials; with one, through the knee and the trial.
  private func line() -> Double {
    let near = sorted[0]
    let far = trials.count == 1 ? knee : sorted[1]
    let slope = near.gain == far.gain ? 1 : (near.loudness - far.loudness) / (near.gain - far.gain)
    return near.gain + (target - near.loudness) / min(max(slope, 0.2), 1.5)
  }
}
