/// Finds the lag by which a signal correlates best with itself: a whole number of periods of a voice.
///
/// Two windows of 10 ms are compared by normalized correlation. They are first decimated to 12 kHz and compared at
/// every lag, then in full around the best lag. Source: Verhelst and Roelands, WSOLA, ICASSP 1993. Real-time:
/// wait-free; about 4 µs.
struct TimeStretchLagSearch: ~Copyable {
  /// The shortest lag: 2.5 ms.
  static var minimumLag: Int { @_noLocks get { 120 } }
  /// The longest lag: 15 ms.
  static var maximumLag: Int { @_noLocks get { 720 } }
  /// Half of the window: 5 ms.
  static var half: Int { @_noLocks get { 240 } }
  private static var thinning: Int { @_noLocks get { 4 } }
  /// Share of the best lag's similarity from which a lag is as good.
  private static var nearlyBest: Float { @_noLocks get { 0.93 } }

  /// Result of a search.
  struct Match: BitwiseCopyable {
    let lag: Int
    /// Share of the power that the two windows have in common: 1 if they differ in loudness only. It is the square of
    /// the normalized correlation, and 0 if that is negative.
    let similarity: Float
  }

  private let mono: UnsafeMutablePointer<Float>
  private let thin: UnsafeMutablePointer<Float>
  /// Similarity at each decimated lag.
  private let values: UnsafeMutablePointer<Float>

  init() {
    let count = 2 * TimeStretchLagSearch.half + TimeStretchLagSearch.maximumLag + 4 * TimeStretchLagSearch.thinning
    mono = .allocate(capacity: count)
    mono.initialize(repeating: 0, count: count)
    thin = .allocate(capacity: count / TimeStretchLagSearch.thinning)
    thin.initialize(repeating: 0, count: count / TimeStretchLagSearch.thinning)
    values = .allocate(capacity: TimeStretchLagSearch.maximumLag / TimeStretchLagSearch.thinning + 1)
    values.initialize(repeating: 0, count: TimeStretchLagSearch.maximumLag / TimeStretchLagSearch.thinning + 1)
  }

  deinit {
    mono.deallocate()
    thin.deallocate()
    values.deallocate()
  }

  /// Compares the sound around a waiting sample, `centre` samples from the next one, with the sound a lag later. Takes
  /// the longest lag that is as good as any.
  ///
  /// `centre + half + longest` samples must wait.
  @_noLocks
  func later(_ samples: borrowing SampleBuffer, centre: Int, longest: Int) -> Match {
    let longest = min(longest, TimeStretchLagSearch.maximumLag)
    gather(samples, from: centre &- TimeStretchLagSearch.half, count: 2 &* TimeStretchLagSearch.half &+ longest)
    return search(reference: 0, direction: 1, shortest: TimeStretchLagSearch.minimumLag, longest: longest)
  }

  /// Compares the sound around a sample with the sound a lag earlier, and takes the shortest lag that is as good as
  /// any; `centre + half` samples must wait.
  @_noLocks
  func earlier(_ samples: borrowing SampleBuffer, centre: Int, shortest: Int = TimeStretchLagSearch.minimumLag) -> Match
  {
    let longest = TimeStretchLagSearch.maximumLag
    gather(
      samples, from: centre &- TimeStretchLagSearch.half &- longest, count: 2 &* TimeStretchLagSearch.half &+ longest)
    let first = min(longest, max(TimeStretchLagSearch.minimumLag, shortest))
    return search(reference: longest, direction: -1, shortest: first, longest: longest)
  }

  @_noLocks
  private func gather(_ samples: borrowing SampleBuffer, from begin: Int, count: Int) {
    let first = samples.next(0) + begin
    for index in 0..<count { mono[index] = first[index] }
    for channel in 1..<max(1, samples.channelCount) {
      let other = samples.next(channel) + begin
      for index in 0..<count { mono[index] += other[index] }
    }
  }

  /// Returns the best lag from a window that begins `reference` samples into `mono`.
  @_noLocks
  private func search(reference: Int, direction: Int, shortest: Int, longest: Int) -> Match {
    let step = TimeStretchLagSearch.thinning
    // The reference falls on a decimated sample, for any longest lag.
    let offset = reference % step
    for index in 0..<((2 &* TimeStretchLagSearch.half &+ longest &- offset) / step) {
      let four = mono + (offset &+ index &* step)
      thin[index] = four[0] + four[1] + four[2] + four[3]
    }
    let coarse = coarseLag(
      from: (reference &- offset) / step, direction: direction,
      lags: max(1, shortest / step)...max(shortest, longest) / step)
    var result = Match(lag: min(longest, max(shortest, coarse &* step)), similarity: -1)
    var windows = Windows(mono, reference: reference, direction: direction, count: 2 &* TimeStretchLagSearch.half)
    for lag in max(shortest, coarse &* step &- 3)...max(shortest, min(longest, coarse &* step &+ 3)) {
      let begin = reference &+ direction &* lag
      guard begin >= 0, lag <= longest else { break }
      let value = windows.similarity(lag)
      if value > result.similarity { result = Match(lag: lag, similarity: value) }
    }
    return result
  }

  /// Returns the lag with the best correlation of the decimated samples, or nearly the best: forward the longest of
  /// those, backward the shortest.
  @_noLocks
  private func coarseLag(from begin: Int, direction: Int, lags: ClosedRange<Int>) -> Int {
    var windows = Windows(
      thin, reference: begin, direction: direction,
      count: 2 &* TimeStretchLagSearch.half / TimeStretchLagSearch.thinning)
    var best: Float = -1
    for lag in lags {
      let value = windows.similarity(lag)
      values[lag] = value
      best = max(best, value)
    }
    let enough = best * TimeStretchLagSearch.nearlyBest
    var found = lags.lowerBound
    for lag in lags where values[lag] >= enough && isPeak(lag, in: lags) {
      found = lag
      if direction < 0 { break }
    }
    return found
  }

  /// Returns whether neither neighbor is better.
  @_noLocks
  private func isPeak(_ lag: Int, in lags: ClosedRange<Int>) -> Bool {
    let before = lag > lags.lowerBound ? values[lag &- 1] : -1
    let after = lag < lags.upperBound ? values[lag &+ 1] : -1
    return values[lag] >= before && values[lag] >= after
  }
}
