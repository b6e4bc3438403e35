/// Decides the ratio of a conversion between two clocks: that of their rates, and a slow change that keeps the delay.
///
/// The estimated rate of the device is applied as it is; the change brings an error of the delay back to 0. For a
/// device that is read directly, its gain falls as 4 / t, which removes the first error within seconds. The positions
/// of a sound server wander: there it has its final value from the beginning, and a limit that nobody hears, until an
/// error endangers the buffer: that is removed quickly. At its final value, noise of the estimate is inaudible.
/// The sum is smoothed over a growing time, so that a tone stays pure: the noise of the estimate moves its frequency by
/// less than 1 part in 10^7 within a second.
///
/// While the estimate does not show that the clocks differ, and for a server's first minute, the control rests: samples
/// can be copied, and the delay may wander a little.
///
/// Source: F. Adriaensen, "Controlling adaptive resampling", LAC 2012, for the split of rate and delay.
///
/// Thread: audio. Real-time: wait-free.
struct DelayControl: BitwiseCopyable {
  /// Largest change of the rate: 3.5 cents.
  private static let limit = 2e-3
  /// Largest change behind a server while no buffer is in danger.
  private static let serverLimit = 20e-6
  private static let firstGain = 0.5
  private static let lastGain = 0.04
  /// Time constant of the smoothing in the end, in seconds.
  private static let smoothing = 8.0
  /// Largest skew of a clock at rest, besides two standard deviations of its estimate.
  private static let restSkew = 1e-6
  /// Largest error of the delay at rest, in seconds.
  private static let restBand = 0.5e-3
  private static let serverRestBand = 5e-3
  /// The same, as a part of the tolerance.
  private static let restPart = 0.4
  /// Part of that error at which a rest begins.
  private static let restBegin = 0.1
  /// Time until the clock of a device that is read directly is known well enough for a rest, in seconds.
  private static let restAge = 10.0
  /// Time until a server's estimate of its positions has settled, in seconds: before, it says nothing against a rest.
  private static let serverRestAge = 60.0

  /// Seconds since the sound began.
  private var elapsed = 0.0
  /// Smoothed deviation of the ratio from the nominal one.
  private var deviation = 0.0
  private var isSmoothing = false
  /// Whether a ratio of exactly 1 is good enough.
  private(set) var isResting = false

  /// Returns the device's rate to convert at, relative to its nominal one.
  ///
  /// - Parameters:
  ///   - model: Clock of the device.
  ///   - error: Amount by which the device is to be read faster (or written slower), in seconds.
  ///   - tolerance: Error from which on a buffer is in danger, in seconds.
  ///   - seconds: Time since the previous call.
  @_noLocks
  mutating func relativeRate(
    _ model: ClockModel, error: Double, tolerance: Double, after seconds: Double
  ) -> Double {
    elapsed += seconds
    isResting = rests(model, error: error, tolerance: tolerance)
    guard !isResting else {
      // Behind the rest, the ratio leaves 1 slowly.
      (deviation, isSmoothing) = (0, true)
      return 1
    }
    let gain = model.isServer ? Self.lastGain : max(Self.lastGain, min(Self.firstGain, 4 / elapsed))
    let limit = model.isServer ? Self.serverLimit : Self.limit
    let wanted = model.skew + max(-limit, min(limit, gain * error))
    if isSmoothing {
      let time = model.isServer ? Self.smoothing : min(Self.smoothing, elapsed / 8)
      deviation += (wanted - deviation) * min(1, seconds / time)
    } else {
      deviation = wanted
      isSmoothing = true
    }
    guard model.isServer else { return 1 + deviation }
    let excess = error - max(-tolerance, min(tolerance, error))
    return 1 + deviation + max(-Self.limit, min(Self.limit, Self.firstGain * excess))
  }

  @_noLocks
  private func rests(_ model: ClockModel, error: Double, tolerance: Double) -> Bool {
    guard model.isServer || elapsed > Self.restAge else { return false }
    let band = min(model.isServer ? Self.serverRestBand : Self.restBand, tolerance * Self.restPart)
    let isLikeNominal = model.skew * model.skew < 4 * model.skewVariance + Self.restSkew * Self.restSkew
    return (isLikeNominal || model.isServer && elapsed < Self.serverRestAge)
      && (error < 0 ? -error : error) < (isResting ? band : Self.restBegin * band)
  }

  /// Restarts with the first, quick corrections.
  @_noLocks
  mutating func restart() { self = DelayControl() }
}
