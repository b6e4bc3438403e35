/// Follows the level while nobody speaks, in dB, in one band.
///
/// Between words it follows the level; while somebody speaks, it only rises slowly. Noise that starts and stays would
/// count as speech for ever. The least smoothed level of the last two seconds therefore counts too: nobody speaks that
/// long without a gap.
struct NoiseFloor {
  private(set) var decibels: Float = 0
  private var smoothed: Float = 0
  private var windowMinimum: Float = .greatestFiniteMagnitude
  /// Least levels of the last eight windows of 250 ms; the greatest number for windows that have not ended yet.
  private var minima = SIMD8<Float>(repeating: .greatestFiniteMagnitude)
  private var window = 0
  private var frame = 0

  /// Starts with the first frame's level, but low enough to detect a voice that is there from the start.
  @_noLocks
  mutating func begin(_ level: Float) {
    decibels = level < -50 ? level : -50
    smoothed = level
  }

  /// Advances by one frame of 10 ms. Real-time: wait-free.
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

  /// Returns the level's excess over the floor, in dB.
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
    // The least of many levels lies below the mean: by about 1 dB after the smoothing. At the start, half a second must
    // suffice.
    if known >= 2, least + 1 > decibels { decibels = least + 1 }
  }
}
