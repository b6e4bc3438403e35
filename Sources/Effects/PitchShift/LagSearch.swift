import AudioGraph

/// Finds how far to jump in a signal so that it goes on as if nothing had happened.
///
/// The likeness of two stretches is 2 x their product sum / the sum of their energies: 1 where they are the same, as a
/// whole number of periods apart. First all lags are tried on the thinned signal, then those around the best on the
/// signal itself, and a parabola gives the fraction of a sample. Channels count together, so that they stay together.
///
/// Source: McLeod and Wyvill, A Smarter Way to Find Pitch (2005), for the likeness.
struct LagSearch: BitwiseCopyable {
  /// A jump.
  struct Result: BitwiseCopyable {
    /// In samples.
    var lag: Double
    /// At most 1.
    var likeness: Float
  }

  let tuning: ShiftTuning

  init(_ tuning: ShiftTuning) { self.tuning = tuning }

  /// The best lag on the thinned signal, in thin samples.
  ///
  /// - Parameters:
  ///   - position: where the jump would begin, in samples.
  ///   - direction: -1 to jump back, 1 to jump ahead.
  ///   - newest: behind the last sample that may be looked at.
  @_noLocks
  func coarse(_ history: borrowing SpliceHistory, position: Int, direction: Int, newest: Int) -> Int {
    let step = tuning.decimation
    // Index of the thin sample next to the position.
    let start = history.thinCount &- (history.nextThin &- position &+ step / 2) / step
    let last = history.thinCount &- max(0, (history.nextThin &- newest &+ step &- 1) / step)
    let length = tuning.window / step
    let ahead = tuning.windowAhead / step
    let shortest = max(1, (tuning.minimumLag &+ step &- 1) / step)
    let longest = tuning.maximumLag / step
    var best = longest
    var bestScore = -Float.infinity
    var energy = Energy()
    var otherEnergy = Energy()
    for lag in shortest...longest {
      let shift = direction &* lag
      let end = min(start &+ ahead, last &- (shift > 0 ? shift : 0))
      let begin = end &- length
      guard begin &+ (shift < 0 ? shift : 0) >= 0 else { continue }
      energy.move(to: begin, length, history)
      otherEnergy.move(to: begin &+ shift, length, history)
      var product: Float = 0
      for channel in 0..<history.channelCount {
        let plane = history.thinPlane(channel)
        product += Self.product(plane + begin, plane + (begin &+ shift), count: length)
      }
      let sum = Float(energy.value + otherEnergy.value)
      let likeness = sum > 1e-12 ? 2 * product / sum : 0
      let score = likeness - tuning.lengthPenalty * Float(lag) / Float(longest)
      if score > bestScore {
        bestScore = score
        best = lag
      }
    }
    return best
  }

  /// The best lag near `coarse` thin samples, to a fraction of a sample.
  @_noLocks
  func fine(
    _ history: borrowing SpliceHistory, coarse: Int, position: Int, direction: Int, newest: Int
  ) -> Result {
    let step = tuning.decimation
    let shortest = max(2, coarse &* step &- step &- 1)
    let longest = coarse &* step &+ step &+ 1
    let end = min(position &+ tuning.windowAhead, direction > 0 ? newest &- longest : newest)
    let begin = max(end &- tuning.window, direction < 0 ? longest : 0)
    let length = end &- begin
    guard length > 8 else { return Result(lag: Double(coarse &* step), likeness: 0) }
    var previous: Float = 0
    var best = Result(lag: Double(coarse &* step), likeness: -2)
    var (left, right): (Float, Float) = (0, 0)
    var bestLag = 0
    let energy = energy(history, begin, length)
    var otherEnergy = self.energy(history, begin &+ direction &* shortest, length)
    for lag in shortest...longest {
      let other = begin &+ direction &* lag
      if lag > shortest {
        // Moved by one sample: what has come in, and what has gone.
        otherEnergy += change(history, from: other &- direction, direction: direction, length)
      }
      let sum = Float(energy + otherEnergy)
      let likeness = sum > 1e-12 ? min(1, 2 * product(history, begin, other, length) / sum) : 0
      if lag == bestLag &+ 1 { right = likeness }
      if likeness > best.likeness {
        best.likeness = likeness
        bestLag = lag
        left = previous
        right = likeness
      }
      previous = likeness
    }
    best.lag = Double(bestLag)
    let bend = left - 2 * best.likeness + right
    if bestLag > shortest && bestLag < longest && bend < 0 {
      best.lag += 0.5 * Double(left - right) / Double(bend)
    }
    return best
  }

  @_noLocks
  private func product(_ history: borrowing SpliceHistory, _ one: Int, _ other: Int, _ length: Int) -> Float {
    var product: Float = 0
    for channel in 0..<history.channelCount {
      let plane = history.plane(channel)
      product += Self.product(plane + one, plane + other, count: length)
    }
    return product
  }

  @_noLocks
  private func energy(_ history: borrowing SpliceHistory, _ begin: Int, _ length: Int) -> Double {
    Double(product(history, begin, begin, length))
  }

  /// What the energy of a window gains when it moves by one sample.
  @_noLocks
  private func change(
    _ history: borrowing SpliceHistory, from begin: Int, direction: Int, _ length: Int
  ) -> Double {
    var change = 0.0
    for channel in 0..<history.channelCount {
      let plane = history.plane(channel)
      let gone = Double(plane[direction > 0 ? begin : begin &+ length &- 1])
      let come = Double(plane[direction > 0 ? begin &+ length : begin &- 1])
      change += come * come - gone * gone
    }
    return change
  }

  @_noLocks
  static func product(_ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, count: Int) -> Float {
    let (a, b) = (UnsafeRawPointer(one), UnsafeRawPointer(other))
    var (first, second) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    for pair in 0..<(count / 16) {
      let offset = 64 &* pair
      first +=
        a.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        * b.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      second +=
        a.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD8<Float>.self)
        * b.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD8<Float>.self)
    }
    var sum = (first + second).total
    for index in (count / 16 &* 16)..<count { sum += one[index] * other[index] }
    return sum
  }

  /// The products of `one` with `other` and with what begins 1, 2 and 3 samples behind it: each sample is loaded once for all.
  @_noLocks
  static func products(
    _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, count: Int
  ) -> SIMD4<Float> {
    let (a, b) = (UnsafeRawPointer(one), UnsafeRawPointer(other))
    var (first, second) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    var (third, fourth) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    for block in 0..<(count / 8) {
      let offset = 32 &* block
      let samples = a.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      first += samples * b.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      second += samples * b.loadUnaligned(fromByteOffset: offset &+ 4, as: SIMD8<Float>.self)
      third += samples * b.loadUnaligned(fromByteOffset: offset &+ 8, as: SIMD8<Float>.self)
      fourth += samples * b.loadUnaligned(fromByteOffset: offset &+ 12, as: SIMD8<Float>.self)
    }
    var sums = SIMD4(first.total, second.total, third.total, fourth.total)
    for index in (count / 8 &* 8)..<count {
      sums += one[index] * SIMD4(other[index], other[index &+ 1], other[index &+ 2], other[index &+ 3])
    }
    return sums
  }
}

/// The energy of a window that moves by a few samples at a time, in double precision so that nothing drifts.
private struct Energy: BitwiseCopyable {
  private(set) var value = 0.0
  private var begin = Int.min

  @_noLocks
  mutating func move(to target: Int, _ length: Int, _ history: borrowing SpliceHistory) {
    if begin == target { return }
    let isNear = begin != Int.min && begin &- target <= 4 && target &- begin <= 4
    if !isNear {
      value = 0
      for channel in 0..<history.channelCount {
        let plane = history.thinPlane(channel)
        value += Double(LagSearch.product(plane + target, plane + target, count: length))
      }
    } else {
      for channel in 0..<history.channelCount {
        let plane = history.thinPlane(channel)
        var from = begin
        while from < target {
          value += square(plane[from &+ length]) - square(plane[from])
          from = from &+ 1
        }
        while from > target {
          from = from &- 1
          value += square(plane[from]) - square(plane[from &+ length])
        }
      }
    }
    begin = target
  }

  @_noLocks
  private func square(_ sample: Float) -> Double { Double(sample) * Double(sample) }
}
