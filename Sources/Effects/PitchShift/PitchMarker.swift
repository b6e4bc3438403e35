import DSP

/// Finds the pitch marks of a voice: their period and their positions.
struct PitchMarker: BitwiseCopyable {
  private let tuning: PitchShiftParameters
  private let search: PitchShiftLagSearch
  /// Half the width of the window in which a pitch mark is the loudest place, in samples.
  private let half: Int
  /// Period found last, in samples; 0 without one.
  private var candidate = 0.0

  init(_ tuning: PitchShiftParameters, sampleRate: Int) {
    self.tuning = tuning
    search = PitchShiftLagSearch(tuning)
    half = max(1, sampleRate / 4_000)
  }

  /// Returns the period of the voice around a position, in samples; nil without a voice.
  ///
  /// - Parameters:
  ///   - history: Samples of the past.
  ///   - position: Position in the history.
  ///   - newest: Position behind the last sample that may be read.
  ///   - isGoingOn: Whether there was a voice just before. A weak one in noise must have been there 5 ms ago.
  @_noLocks
  mutating func period(
    _ history: borrowing SampleHistory, around position: Int, newest: Int, isGoingOn: Bool
  ) -> Double? {
    let coarse = search.coarse(history, position: position, direction: -1, newest: newest)
    let found = peak(history, near: coarse, position: position, newest: newest)
    let expected = candidate
    candidate = found.likeness > tuning.leastLikeness ? found.lag : 0
    guard candidate > 0 else { return nil }
    let isExpected = (found.lag - expected).magnitude < 0.1 * found.lag
    guard isGoingOn || isExpected || found.likeness > tuning.firstLikeness else { return nil }
    // A high voice has the same correlation with itself two or three of its periods ago.
    for part in 2...3 {
      let lag = found.lag / Double(part)
      guard lag < Double(tuning.minimumLag &+ tuning.decimation), lag >= 0.5 * Double(tuning.minimumLag) else {
        continue
      }
      let shorter = peak(history, near: Int(lag) / tuning.decimation, position: position, newest: newest)
      if shorter.likeness > 0.9 * found.likeness { return shorter.lag }
    }
    return found.lag
  }

  /// Returns the lag near `coarse` decimated samples with the highest correlation of the voice with itself.
  ///
  /// The correlation is 0 if it only grows towards shorter lags, as in every slow sound.
  @_noLocks
  private func peak(
    _ history: borrowing SampleHistory, near coarse: Int, position: Int, newest: Int
  ) -> PitchShiftLagSearch.Result {
    var found = search.fine(history, coarse: coarse, position: position, direction: -1, newest: newest)
    if found.lag <= Double((coarse &- 1) &* tuning.decimation) { found.likeness = 0 }
    return found
  }

  /// Returns the distance from a position to the loudest place around it, within a quarter of a period.
  @_noLocks
  func offset(
    _ history: borrowing SampleHistory, of source: Double, period: Double, newest: Int
  ) -> Double {
    let reach = Int(0.25 * period)
    let first = Int(source + 0.5) &- reach
    guard reach > 0, first &+ 2 &* reach &+ half < newest else { return 0 }
    return beat(history, from: first, count: 2 &* reach &+ 1) - source
  }

  /// Returns the loudest place among `count` samples from `first` on: the closing of the vocal cords.
  @_noLocks
  func beat(_ history: borrowing SampleHistory, from first: Int, count: Int) -> Double {
    var energy: Float = 0
    for offset in -half..<half { energy += power(history, first &+ offset) }
    var (best, greatest) = (first, -Float.infinity)
    for place in first..<(first &+ count) {
      energy += power(history, place &+ half)
      if energy > greatest { (best, greatest) = (place, energy) }
      energy -= power(history, place &- half)
    }
    return Double(best)
  }

  @_noLocks
  private func power(_ history: borrowing SampleHistory, _ place: Int) -> Float {
    var sum: Float = 0
    for channel in 0..<history.channelCount {
      let sample = history.plane(channel)[place]
      sum += sample * sample
    }
    return sum
  }
}
