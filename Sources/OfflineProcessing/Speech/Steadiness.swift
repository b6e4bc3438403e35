/// Measures how much of a sound is steady: long enough within 10 dB of the loudest moment around it.
///
/// Memory is fixed. A frame counts 100 ms later, when its surroundings are known.
struct Steadiness {
  /// Frames of 10 ms before and behind a frame that are compared with it.
  private static let reach = 10
  /// Least frames of steady sound.
  private static let shortest = 11
  /// Power that is 10 dB less.
  private static let drop = 0.1

  /// Newest powers: those of a frame and its surroundings.
  private var powers = [Double](repeating: 0, count: 2 * Steadiness.reach + 1)
  private var count = 0
  private var run = 0
  private var steadyCount = 0
  private var voiceCount = 0

  /// Share of the frames with a voice that are steady, 0 to 1. Call it at the end.
  var share: Double {
    var whole = self
    for _ in 0..<Self.reach { whole.advance(0) }
    return voiceCount == 0 ? 0 : Double(whole.steadyCount) / Double(voiceCount)
  }

  /// Takes the next frame; nil for one without a voice.
  mutating func add(meanSquare: Double?) {
    if meanSquare != nil { voiceCount += 1 }
    advance(meanSquare ?? 0)
  }

  private mutating func advance(_ power: Double) {
    powers[count % powers.count] = power
    count += 1
    let middle = powers[(count + Self.reach) % powers.count]
    let isSteady = middle > 0 && middle > Self.drop * powers.max()!
    run = isSteady ? run + 1 : 0
    if run == Self.shortest { steadyCount += Self.shortest } else if run > Self.shortest { steadyCount += 1 }
  }
}
