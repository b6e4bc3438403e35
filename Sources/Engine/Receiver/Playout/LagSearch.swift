/// Finds by how much a signal has to be moved to be most like itself: a whole number of periods of a voice.
///
/// Two windows of 10 ms are compared by normalised correlation, first thinned to 12 kHz at every lag, then in full around
/// the best of them. Source: Verhelst and Roelands, WSOLA, ICASSP 1993. Real-time: wait-free; about 10 µs.
struct LagSearch: ~Copyable {
  /// The shortest lag: 2.5 ms.
  static var minimumLag: Int { @_noLocks get { 120 } }
  /// The longest lag: 15 ms.
  static var maximumLag: Int { @_noLocks get { 720 } }
  /// Half of the window: 5 ms.
  static var half: Int { @_noLocks get { 240 } }
  private static var thinning: Int { @_noLocks get { 4 } }

  /// What was found.
  struct Match: BitwiseCopyable {
    let lag: Int
    /// The share of their power that the two have in common: 1 where they are the same but for their loudness. It is the
    /// square of the normalised correlation, and 0 where that is negative.
    let similarity: Float
  }

  private let mono: UnsafeMutablePointer<Float>
  private let thin: UnsafeMutablePointer<Float>

  init() {
    let count = 2 * LagSearch.half + LagSearch.maximumLag + 4 * LagSearch.thinning
    mono = .allocate(capacity: count)
    mono.initialize(repeating: 0, count: count)
    thin = .allocate(capacity: count / LagSearch.thinning)
    thin.initialize(repeating: 0, count: count / LagSearch.thinning)
  }

  deinit {
    mono.deallocate()
    thin.deallocate()
  }

  /// Compares what lies around a sample that waits (`centre` samples from the next one) with what lies a lag later.
  ///
  /// `centre + half + longest` samples must wait.
  @_noLocks
  func later(_ samples: borrowing SampleBuffer, centre: Int, longest: Int) -> Match {
    let longest = min(longest, LagSearch.maximumLag)
    gather(samples, from: centre &- LagSearch.half, count: 2 &* LagSearch.half &+ longest)
    return search(reference: 0, direction: 1, longest: longest)
  }

  /// Compares what lies around a sample with what lies a lag earlier; `centre + half` samples must wait.
  @_noLocks
  func earlier(_ samples: borrowing SampleBuffer, centre: Int, longest: Int = LagSearch.maximumLag) -> Match {
    let longest = min(longest, LagSearch.maximumLag)
    gather(samples, from: centre &- LagSearch.half &- longest, count: 2 &* LagSearch.half &+ longest)
    return search(reference: longest, direction: -1, longest: longest)
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

  /// The best lag from a window that begins `reference` samples into `mono`.
  @_noLocks
  private func search(reference: Int, direction: Int, longest: Int) -> Match {
    let step = LagSearch.thinning
    // The reference falls on a thin sample, whatever the longest lag.
    let offset = reference % step
    let thinCount = (2 &* LagSearch.half &+ longest &- offset) / step
    for index in 0..<thinCount {
      let four = mono + (offset &+ index &* step)
      thin[index] = four[0] + four[1] + four[2] + four[3]
    }
    let window = 2 &* LagSearch.half / step
    var coarse = LagSearch.minimumLag / step
    var best: Float = -1
    for lag in (LagSearch.minimumLag / step)...max(LagSearch.minimumLag / step, longest / step) {
      let begin = (reference &- offset) / step
      guard begin &+ direction &* lag >= 0, begin &+ direction &* lag &+ window <= thinCount else { break }
      let value = similarity(thin + begin, thin + (begin &+ direction &* lag), count: window)
      if value > best {
        best = value
        coarse = lag
      }
    }
    var result = Match(lag: coarse &* step, similarity: -1)
    for lag in max(
      LagSearch.minimumLag, coarse &* step &- 3)...max(LagSearch.minimumLag, min(longest, coarse &* step &+ 3))
    {
      let begin = reference &+ direction &* lag
      guard begin >= 0 else { break }
      let value = similarity(mono + reference, mono + begin, count: 2 &* LagSearch.half)
      if value > result.similarity { result = Match(lag: lag, similarity: value) }
    }
    return result
  }

  /// The square of the normalised correlation of `count` samples, a multiple of 8; 0 where one side is silent.
  @_noLocks
  private func similarity(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int) -> Float {
    var product = SIMD8<Float>(repeating: 0)
    var powerA = product
    var powerB = product
    let (rawA, rawB) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
    for block in 0..<(count / 8) {
      let x = rawA.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self)
      let y = rawB.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self)
      product += x * y
      powerA += x * x
      powerB += y * y
    }
    let power = total(powerA) * total(powerB)
    let together = total(product)
    if power <= 1e-20 || together <= 0 { return 0 }
    return together * together / power
  }

  @_noLocks @inline(__always)
  private func total(_ lanes: SIMD8<Float>) -> Float {
    let four = lanes.lowHalf + lanes.highHalf
    let two = four.lowHalf + four.highHalf
    return two[0] + two[1]
  }
}
