/// Estimates how much faster or slower than nominal a sender's clock runs, from the packets that the network delayed
/// least.
///
/// The fastest packet of each window of some seconds lies on a line with the drift as its slope, however late the
/// others are. The line is fitted to as many windows as agree with it; an estimate is given once its standard error is
/// small. Windows that do not agree mean that the path has changed: the line restarts, the drift stays. Real-time:
/// wait-free; about 1 µs when a window ends.
///
/// Source: Moon, Skelly and Towsley, Estimation and removal of clock skew from network delay measurements, INFOCOM
/// 1999.
struct DriftEstimator: ~Copyable {
  /// Maximum of windows in the line.
  private static var capacity: Int { @_noLocks get { 32 } }
  private static var shortestWindow: Int { @_noLocks get { 2_000_000_000 } }
  private static var longestWindow: Int { @_noLocks get { 32_000_000_000 } }
  /// Largest error of an estimate, in millionths.
  private static var largestError: Double { @_noLocks get { 8 } }
  /// Largest drift of a clock, in millionths.
  private static var largestDrift: Double { @_noLocks get { 1_000 } }
  /// Distance from the line, in nanoseconds, beyond which a window starts another line: 4 ms.
  private static var largestStep: Double { @_noLocks get { 4e6 } }

  private struct Point: BitwiseCopyable {
    var time = 0
    var delay = 0
  }

  private let points: UnsafeMutablePointer<Point>
  private var count = 0
  private var window = DriftEstimator.shortestWindow
  private var windowEnd: Int?
  private var fastest = Point()
  private var disagreeing = 0
  /// Drift in millionths, above 0 for a fast sender; 0 until it is known.
  private(set) var ppm = 0.0
  /// Whether `ppm` is not an accident of the packets' delays.
  private(set) var isSignificant = false

  init() {
    points = .allocate(capacity: DriftEstimator.capacity)
    points.initialize(repeating: Point(), count: DriftEstimator.capacity)
  }

  deinit { points.deallocate() }

  /// Notes a packet that came at `arrival`, `delay` later than by the nominal clock.
  ///
  /// - Returns: true if that has changed `ppm`.
  @_noLocks
  mutating func observe(arrival: Int, delay: Int) -> Bool {
    guard let end = windowEnd else {
      windowEnd = arrival &+ window
      fastest = Point(time: arrival, delay: delay)
      return false
    }
    if arrival < end {
      if delay < fastest.delay { fastest = Point(time: arrival, delay: delay) }
      return false
    }
    append(fastest)
    windowEnd = arrival &+ window
    fastest = Point(time: arrival, delay: delay)
    return estimate()
  }

  /// Restarts for a stream that may have another sender.
  @_noLocks
  mutating func reset() {
    count = 0
    windowEnd = nil
    window = DriftEstimator.shortestWindow
    disagreeing = 0
    ppm = 0
    isSignificant = false
  }

  @_noLocks
  private mutating func append(_ point: Point) {
    if count > 1, abs(Double(point.delay) - predicted(point.time)) > DriftEstimator.largestStep {
      // One window may have been congested throughout; two in a row mean another path.
      disagreeing &+= 1
      if disagreeing < 2 { return }
      count = 0
    }
    disagreeing = 0
    if count == DriftEstimator.capacity {
      if window < DriftEstimator.longestWindow { merge() } else { dropFirst() }
    }
    points[count] = point
    count &+= 1
  }

  /// Returns the line's delay at a time, as far as it is known.
  @_noLocks
  private func predicted(_ time: Int) -> Double {
    let line = fit()
    // The slope of a few windows may be anything; that of the clocks cannot.
    let limit = DriftEstimator.largestDrift * 1e-6
    let slope = max(0 - limit, min(limit, line.slope))
    return Double(points[0].delay) + line.meanDelay + slope * (Double(time &- points[0].time) - line.meanTime)
  }

  /// Makes the windows twice as long and half as many.
  @_noLocks
  private mutating func merge() {
    count /= 2
    for index in 0..<count {
      let (first, second) = (points[2 &* index], points[2 &* index &+ 1])
      // Which of the two is nearer to the line's lower edge depends on the drift itself.
      let drifted = Double(second.delay) + ppm * 1e-6 * Double(second.time &- first.time)
      points[index] = drifted < Double(first.delay) ? second : first
    }
    window &*= 2
  }

  @_noLocks
  private mutating func dropFirst() {
    for index in 1..<count { points[index &- 1] = points[index] }
    count &-= 1
  }

  private struct Line: BitwiseCopyable {
    var slope: Double
    var meanTime: Double
    var meanDelay: Double
    /// Square of the slope's standard error.
    var variance: Double
  }

  /// Returns the line through the points by least squares, relative to the first of them.
  @_noLocks
  private func fit() -> Line {
    var (meanTime, meanDelay) = (0.0, 0.0)
    for index in 0..<count {
      meanTime += Double(points[index].time &- points[0].time)
      meanDelay += Double(points[index].delay &- points[0].delay)
    }
    meanTime /= Double(count)
    meanDelay /= Double(count)
    var (spread, product) = (0.0, 0.0)
    for index in 0..<count {
      let time = Double(points[index].time &- points[0].time) - meanTime
      spread += time * time
      product += time * (Double(points[index].delay &- points[0].delay) - meanDelay)
    }
    let slope = spread > 0 ? product / spread : 0
    var squares = 0.0
    for index in 0..<count {
      let time = Double(points[index].time &- points[0].time) - meanTime
      let rest = Double(points[index].delay &- points[0].delay) - meanDelay - slope * time
      squares += rest * rest
    }
    let variance = count > 2 && spread > 0 ? squares / Double(count &- 2) / spread : .infinity
    return Line(slope: slope, meanTime: meanTime, meanDelay: meanDelay, variance: variance)
  }

  @_noLocks
  private mutating func estimate() -> Bool {
    guard count >= 4 else { return false }
    let line = fit()
    // A sender that is fast needs ever less than nominal.
    let drift = 0 - line.slope * 1e6
    let limit = DriftEstimator.largestError
    guard line.variance * 1e12 <= limit * limit, abs(drift) <= DriftEstimator.largestDrift else { return false }
    // Three standard errors, and a drift that would be worth following: 10 ms in an hour and a half.
    let threshold = isSignificant ? 1.0 : 2.0
    isSignificant = abs(drift) > threshold && drift * drift > 9 * line.variance * 1e12
    ppm = drift
    return true
  }
}
