import DSP

/// Finds the beats of a voice's vocal cords: their period, and where they are.
struct PitchMarker: BitwiseCopyable {
  private let tuning: PitchShiftParameters
  private let search: LagSearch
  /// Half the width of the window in which a beat is the loudest place, in samples.
  private let half: Int
  /// The period that was found last, or 0.
  private var candidate = 0.0

  init(_ tuning: PitchShiftParameters, sampleRate: Int) {
    self.tuning = tuning
    search = LagSearch(tuning)
    half = max(1, sampleRate / 4_000)
  }

  /// The period of the voice around a position, in samples; nil where there is no voice.
  ///
  /// - Parameters:
  ///   - newest: behind the last sample that may be looked at.
  ///   - isGoingOn: whether there was one just before. A weak one in noise has to have been there 5 ms ago.
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
    // A high voice is as much like itself two or three of its periods ago.
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

  /// The lag near `coarse` thin samples at which the voice is most like itself; its likeness is 0 where it is more so
  /// the shorter the lag, as every slow sound is.
  @_noLocks
  private func peak(
    _ history: borrowing SampleHistory, near coarse: Int, position: Int, newest: Int
  ) -> LagSearch.Result {
    var found = search.fine(history, coarse: coarse, position: position, direction: -1, newest: newest)
    if found.lag <= Double((coarse &- 1) &* tuning.decimation) { found.likeness = 0 }
    return found
  }

  /// How far behind a position the loudest place around it lies, within a quarter of a period.
  @_noLocks
  func offset(
    _ history: borrowing SampleHistory, of source: Double, period: Double, newest: Int
  ) -> Double {
    let reach = Int(0.25 * period)
    let first = Int(source + 0.5) &- reach
    guard reach > 0, first &+ 2 &* reach &+ half < newest else { return 0 }
    return beat(history, from: first, count: 2 &* reach &+ 1) - source
  }

  /// The loudest place among `count` samples from `first` on: where the vocal cords have closed.
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
