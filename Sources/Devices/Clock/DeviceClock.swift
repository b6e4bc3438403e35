/// Estimates a device's clock from noisy pairs of time and position.
///
///     position = anchor + nominalRate x (1 + skew) x (time - anchorTime)
///
/// A device or a sound server reports late, never early. So the pair that is furthest ahead within two seconds is
/// right; the others show how late threads and servers are. The line through these pairs is found by recursive least
/// squares with exponential forgetting. From the first pair on, it is as good as the pairs allow. After `longestMemory`
/// it forgets as fast as it learns, so it follows crystals that warm up. The slope survives jumps of the position,
/// but for those within half a minute of the start.
///
/// The positions of a sound server are its own estimate. They wander by tenths of a millisecond, so steadily that some
/// seconds of them look like a skew of 100 ppm and more. So its pairs count little, and for a minute: the estimate
/// stays near the nominal rate until a minute shows another one. A pair that is further away than servers wander counts
/// more.
///
/// Source: the choice of the best of several pairs is the clock filter of NTP (RFC 5905, section 10); the recursion is
/// that of texts on adaptive filters (Haykin, Adaptive Filter Theory, chapter on RLS).
///
/// Thread: the device thread. Real-time: wait-free.
struct DeviceClock {
  /// Time constant of forgetting in the end, in seconds; before, half of the time that has passed, since devices and
  /// servers are at their worst when they start.
  private static let longestMemory = 300.0
  private static let shortestMemory = 10.0
  private static let shortestServerMemory = 60.0
  /// Standard deviation that a crystal's skew has before anything is known: for a device that is read directly, and
  /// for one behind a server.
  private static let expectedSkew = 200e-6
  private static let serverSkew = 50e-6
  /// Standard deviation of the skew behind a jump of the position.
  private static let doubtedSkew = 20e-6
  /// Time after a start in which a device or a server may still find its pace, in seconds.
  private static let unrest = 30.0
  /// Standard deviation of a chosen pair, in seconds. Only its ratio to the skew's matters.
  private static let expectedJitter = 0.2e-3
  /// The same for a server: neighbouring errors are alike, so that each counts for a part of itself.
  private static let serverJitter = 2e-3
  /// Deviation from which on a pair of a server counts more, in seconds.
  private static let serverWander = 1e-3
  /// Longest span of which one pair is chosen, in seconds; at first, a quarter of the time that has passed.
  private static let longestSpan = 2.0
  private static let shortestSpan = 0.1
  /// Deviation that is taken for a jump of the position at once, in seconds.
  private static let jump = 25e-3
  /// Deviation that is taken for a jump when it comes three times in a row, in seconds.
  private static let repeatedJump = 8e-3
  /// Deviation of the best pair of a span that is taken for a jump, in seconds. A server's estimate may be as far
  /// behind a device of an unusual rate.
  private static let lastingJump = 2.5e-3
  private static let lastingServerJump = 8e-3

  let nominalRate: Double
  /// Whether a sound server estimates the positions.
  private let isServer: Bool
  /// Time of the estimate, in nanoseconds.
  private(set) var time = 0
  /// Estimated position at `time`, in samples.
  private(set) var position = 0.0
  /// Estimated skew of the rate.
  private(set) var skew = 0.0

  /// Variance of the estimated skew.
  var skewVariance: Double { @_noLocks get { p11 * Self.expectedJitter * Self.expectedJitter } }

  private var isAnchored = false
  /// Seconds since the first pair.
  private var age = 0.0
  private var newestTime = 0
  /// Largest deviation of the present span, in seconds, and its time.
  private var best = -Double.infinity
  private var bestTime = 0
  private var spanEnd = 0.0
  private var suspicionCount = 0

  // Covariance of (position in seconds, skew), in units of `expectedJitter` squared.
  private var p00 = 1.0
  private var p01 = 0.0
  private var p11: Double

  /// Creates an estimate at the nominal rate.
  ///
  /// - Parameters:
  ///   - nominalRate: Rate of the device by its own clock, in Hz.
  ///   - isServer: Whether a sound server estimates the positions.
  init(nominalRate: Int, isServer: Bool = false) {
    self.nominalRate = Double(nominalRate)
    self.isServer = isServer
    let ratio = (isServer ? Self.serverSkew : Self.expectedSkew) / Self.expectedJitter
    p11 = ratio * ratio
  }

  /// Returns the estimated position at a time.
  @_noLocks
  func position(atNanoseconds moment: Int) -> Double {
    position + Double(moment &- time) * 1e-9 * nominalRate * (1 + skew)
  }

  /// Forgets the position but not the rate: the next pair sets the position.
  @_noLocks
  mutating func resetPosition() { isAnchored = false }

  /// Takes a pair.
  ///
  /// - Returns: Whether the position has jumped.
  @_noLocks @discardableResult
  mutating func observe(position measured: Double, atNanoseconds moment: Int) -> Bool {
    guard isAnchored else {
      anchor(measured, moment)
      return false
    }
    age += max(0, Double(moment &- newestTime) * 1e-9)
    newestTime = max(newestTime, moment)
    let deviation = (measured - position(atNanoseconds: moment)) / nominalRate
    let size = deviation < 0 ? -deviation : deviation
    suspicionCount = size > Self.repeatedJump ? suspicionCount &+ 1 : 0
    if size > Self.jump || suspicionCount >= 3 {
      jump(to: measured, moment)
      return true
    }
    if deviation > best { (best, bestTime) = (deviation, moment) }
    guard age >= spanEnd else { return false }
    return endSpan()
  }

  /// Takes the best pair of a span.
  @_noLocks
  private mutating func endSpan() -> Bool {
    let (deviation, moment) = (best, bestTime)
    beginSpan()
    let estimate = position(atNanoseconds: moment)
    let lasting = isServer ? Self.lastingServerJump : Self.lastingJump
    if deviation > lasting || deviation < -lasting {
      jump(to: estimate + deviation * nominalRate, moment)
      return true
    }
    let elapsed = Double(moment &- time) * 1e-9
    guard elapsed > 0 else { return false }
    let variance = variance(deviation)
    (position, time) = (estimate, moment)
    // Forgetting grows the covariance, and so the weight of what comes next.
    let shortest = isServer ? Self.shortestServerMemory : Self.shortestMemory
    let growth = 1 + elapsed / max(shortest, min(Self.longestMemory, age / 2))
    p00 = (p00 + 2 * elapsed * p01 + elapsed * elapsed * p11) * growth
    p01 = (p01 + elapsed * p11) * growth
    p11 *= growth
    let gain = p00 / (p00 + variance)
    let slopeGain = p01 / (p00 + variance)
    position += gain * deviation * nominalRate
    skew = max(-1e-3, min(1e-3, skew + slopeGain * deviation))
    p11 -= slopeGain * p01
    p01 -= gain * p01
    p00 -= gain * p00
    return false
  }

  /// Returns the variance of a chosen pair, in units of `expectedJitter` squared.
  @_noLocks
  private func variance(_ deviation: Double) -> Double {
    guard isServer else { return 1 }
    let distance = deviation / Self.serverWander
    let ratio = Self.serverJitter / Self.expectedJitter / (1 + distance * distance)
    return ratio * ratio
  }

  /// Continues at another position. The slope is doubted; one that comes from the unrest of a start is forgotten.
  @_noLocks
  private mutating func jump(to measured: Double, _ moment: Int) {
    if age < Self.unrest { (skew, age) = (0, 0) }
    let expected = isServer ? Self.serverSkew : Self.expectedSkew
    let doubt = (age < Self.unrest ? expected : min(expected, Self.doubtedSkew)) / Self.expectedJitter
    p11 = max(p11, doubt * doubt)
    anchor(measured, moment)
  }

  @_noLocks
  private mutating func anchor(_ measured: Double, _ moment: Int) {
    (position, time, newestTime) = (measured, moment, moment)
    isAnchored = true
    (p00, p01) = (variance(0), 0)
    suspicionCount = 0
    beginSpan()
  }

  @_noLocks
  private mutating func beginSpan() {
    best = -.infinity
    spanEnd = age + max(Self.shortestSpan, min(Self.longestSpan, age / 4))
  }
}
