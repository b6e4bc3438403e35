/// Follows the level of what is there when nobody speaks, in dB, in one band.
///
/// Between words it goes with the level; while somebody speaks it only creeps up. Noise that comes and stays would be
/// taken for speech for ever, so the least smoothed level of the last two seconds counts too: no one speaks that long
/// without a gap.
struct NoiseFloor {
  private(set) var decibels: Float = 0
  private var smoothed: Float = 0
  private var windowMinimum: Float = .greatestFiniteMagnitude
  /// The least levels of the last eight windows of 250 ms; the greatest number where there was none yet.
  private var minima = SIMD8<Float>(repeating: .greatestFiniteMagnitude)
  private var window = 0
  private var frame = 0

  /// Starts with the first frame's level, but low enough that a voice which is there at once is heard as one.
  @_noLocks
  mutating func begin(_ level: Float) {
    decibels = level < -50 ? level : -50
    smoothed = level
  }

  /// Goes on by one frame of 10 ms. Real-time: wait-free.
  @_noLocks
  mutating func follow(_ level: Float, isVoice: Bool) {
    smoothed += 0.2 * (level - smoothed)
    if smoothed < windowMinimum { windowMinimum = smoothed }
    frame &+= 1
    if frame == 25 { closeWindow() }
    if !isVoice {
      decibels += 0.05 * (level - decibels)
    } else if level < decibels {
      decibels += 0.2 * (level - decibels)
    } else {
      // 2 dB a second.
      decibels += 0.02
    }
    if decibels < -75 { decibels = -75 }
  }

  /// By how much a level stands out, in dB.
  @_noLocks
  func excess(of level: Float) -> Float { level - decibels }

  @_noLocks
  private mutating func closeWindow() {
    minima[window] = windowMinimum
    window = (window &+ 1) & 7
    frame = 0
    windowMinimum = .greatestFiniteMagnitude
    var least = minima[0]
    var known = 0
    for index in 0..<8 {
      if minima[index] < least { least = minima[index] }
      if minima[index] < 1_000 { known &+= 1 }
    }
    // The least of many lies below the mean: by about 1 dB after the smoothing. At the beginning half a second must do.
    if known >= 2, least + 1 > decibels { decibels = least + 1 }
  }
}
