/// Estimates a device's clock from noisy pairs of time and position: a line whose offset and slope are found by
/// recursive least squares with exponential forgetting.
///
///     position = anchor + nominalRate x (1 + skew) x (time - anchorTime)
///
/// From the first pair on it is as good as the pairs allow. After `memory` it forgets as fast as it learns, so it
/// follows crystals that warm up. The slope survives jumps of the position.
///
/// Source: F. Adriaensen, "Using a DLL to filter time", LAC 2005, has the same use with fixed gains; the recursion is
/// that of any text on least squares (e.g. Haykin, Adaptive Filter Theory, chapter on RLS).
///
/// Thread: the device thread. Real-time: wait-free.
struct DeviceClock {
  /// Time constant of forgetting, in seconds.
  private static let memory = 60.0
  /// Standard deviation that a crystal's skew has before anything is known.
  private static let expectedSkew = 200e-6
  /// Standard deviation of one pair's time, in seconds. Only its ratio to `expectedSkew` matters.
  private static let expectedJitter = 0.5e-3
  /// Residual that is taken for a jump of the position at once, in seconds.
  private static let jump = 15e-3
  /// Residual that is taken for a jump when it comes three times in a row, in seconds.
  private static let smallJump = 4e-3
  /// Largest part of a residual that is believed, in seconds.
  private static let believed = 1e-3

  let nominalRate: Double
  /// Time of the newest pair, in nanoseconds.
  private(set) var time = 0
  /// Estimated position at `time`, in samples.
  private(set) var position = 0.0
  /// Estimated skew of the rate.
  private(set) var skew = 0.0
  /// Number of pairs so far.
  private(set) var pairCount = 0
  /// Number of jumps of the position so far.
  private(set) var jumpCount = 0

  // Covariance of (position in seconds, skew), in units of a pair's variance.
  private var p00 = 1e9
  private var p01 = 0.0
  private var p11: Double
  private var suspicionCount = 0

  init(nominalRate: Int) {
    self.nominalRate = Double(nominalRate)
    let ratio = Self.expectedSkew / Self.expectedJitter
    p11 = ratio * ratio
  }

  /// Returns the estimated position at a time.
  @_noLocks
  func position(atNanoseconds moment: Int) -> Double {
    position + Double(moment &- time) * 1e-9 * nominalRate * (1 + skew)
  }

  /// Forgets the position but not the rate: the next pair begins anew.
  @_noLocks
  mutating func resetPosition() {
    p00 = 1e9
    p01 = 0
    suspicionCount = 0
  }

  /// Takes a pair.
  ///
  /// - Returns: Whether the position has jumped.
  @_noLocks @discardableResult
  mutating func observe(position measured: Double, atNanoseconds moment: Int) -> Bool {
    if pairCount == 0 || p00 >= 1e9 {
      (position, time) = (measured, moment)
      p00 = 1
      pairCount &+= 1
      return false
    }
    let elapsed = Double(moment &- time) * 1e-9
    guard elapsed > 0 else { return false }
    position += elapsed * nominalRate * (1 + skew)
    time = moment
    // Forgetting grows the covariance, and so the weight of what comes next.
    let growth = 1 + elapsed / Self.memory
    p00 = (p00 + 2 * elapsed * p01 + elapsed * elapsed * p11) * growth
    p01 = (p01 + elapsed * p11) * growth
    p11 *= growth
    var residual = (measured - position) / nominalRate
    let size = residual < 0 ? -residual : residual
    if size > Self.jump || isSuspicious(size) {
      position = measured
      resetPosition()
      p00 = 1
      jumpCount &+= 1
      return true
    }
    residual = max(-Self.believed, min(Self.believed, residual))
    let gain = p00 / (p00 + 1)
    let slopeGain = p01 / (p00 + 1)
    position += gain * residual * nominalRate
    skew = max(-2e-3, min(2e-3, skew + slopeGain * residual))
    p11 -= slopeGain * p01
    p01 -= gain * p01
    p00 -= gain * p00
    pairCount &+= 1
    return false
  }

  @_noLocks
  private mutating func isSuspicious(_ size: Double) -> Bool {
    suspicionCount = size > Self.smallJump ? suspicionCount &+ 1 : 0
    return suspicionCount >= 3
  }
}
