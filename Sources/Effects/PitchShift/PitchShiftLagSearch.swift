import DSP

/// Finds the length of a jump in a signal after which it continues without a break.
///
/// The correlation of two spans is 2 x their product sum / the sum of their energies. It is 1 if they are the same, as
/// at a whole number of periods apart. First all lags are tried on the decimated signal, then those around the best on
/// the signal itself. A parabola gives the fraction of a sample. Channels count together, so that they stay together.
///
/// Source: McLeod and Wyvill, A Smarter Way to Find Pitch (2005), for the correlation.
struct PitchShiftLagSearch: BitwiseCopyable {
  /// A jump.
  struct Result: BitwiseCopyable {
    /// Length of the jump, in samples.
    var lag: Double
    /// Correlation at the jump; at most 1.
    var likeness: Float
  }

  let tuning: PitchShiftParameters

  init(_ tuning: PitchShiftParameters) { self.tuning = tuning }

  /// Returns the best lag on the decimated signal, in decimated samples.
  ///
  /// - Parameters:
  ///   - history: Samples of the past.
  ///   - position: Start of the jump, in samples.
  ///   - direction: -1 to jump back, 1 to jump ahead.
  ///   - newest: Position behind the last sample that may be read.
  @_noLocks
  func coarse(_ history: borrowing SampleHistory, position: Int, direction: Int, newest: Int) -> Int {
    let step = tuning.decimation
    // Index of the decimated sample next to the position.
    let start = history.thinCount &- (history.nextThin &- position &+ step / 2) / step
    let last = history.thinCount &- max(0, (history.nextThin &- newest &+ step &- 1) / step)
    let length = tuning.window / step
    let ahead = tuning.windowAhead / step
    let shortest = max(1, (tuning.minimumLag &+ step &- 1) / step)
    let longest = tuning.maximumLag / step
    var best = Best(lag: longest)
    let wanted = start &+ ahead
    if direction < 0 {
      let begin = min(wanted, last) &- length
      look(
        history, from: shortest, to: min(longest, begin),
        Stretches(standing: begin, moving: begin &- shortest, way: -1),
        length, &best)
      return best.lag
    }
    // As long as there is enough behind it, the other end moves ahead; then the position's own moves back.
    let begin = wanted &- length
    let lastFree = min(longest, last &- wanted)
    if begin >= 0 {
      look(
        history, from: shortest, to: lastFree, Stretches(standing: begin, moving: begin &+ shortest, way: 1), length,
        &best)
    }
    let first = max(shortest, lastFree &+ 1)
    let end = last &- length
    look(
      history, from: first, to: min(longest, end), Stretches(standing: end, moving: end &- first, way: -1), length,
      &best)
    return best.lag
  }

  /// Searches a range of lags for the best one, on the decimated signal.
  @_noLocks
  private func look(
    _ history: borrowing SampleHistory, from first: Int, to last: Int, _ stretches: Stretches, _ length: Int,
    _ best: inout Best
  ) {
    guard first <= last else { return }
    let penalty = tuning.lengthPenalty / Float(tuning.maximumLag / tuning.decimation)
    let energy = energy(history, true, stretches.standing, length)
    var movingEnergy = self.energy(history, true, stretches.moving, length)
    var (lag, stretches) = (first, stretches)
    while lag <= last {
      let count = min(4, last &- lag &+ 1)
      let products = products(history, true, stretches, length, count: count)
      var sums = SIMD4<Float>(repeating: 0)
      for index in 0..<count {
        sums[index] = Float(energy + movingEnergy)
        if lag &+ index < last { movingEnergy += stretches.move(history, true, length) }
      }
      let likenesses = (2 * products / sums).replacing(with: 0, where: sums .<= 1e-12)
      for index in 0..<count {
        let score = likenesses[index] - penalty * Float(lag &+ index)
        if score > best.score { best = Best(lag: lag &+ index, score: score) }
      }
      lag = lag &+ 4
    }
  }

  /// Returns the best lag near `coarse` decimated samples, to a fraction of a sample.
  @_noLocks
  func fine(
    _ history: borrowing SampleHistory, coarse: Int, position: Int, direction: Int, newest: Int
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
    var stretches = Stretches(standing: begin, moving: begin &+ direction &* shortest, way: direction)
    let energy = energy(history, false, begin, length)
    var movingEnergy = self.energy(history, false, stretches.moving, length)
    var first = shortest
    while first <= longest {
      let count = min(4, longest &- first &+ 1)
      let products = products(history, false, stretches, length, count: count)
      for index in 0..<count {
        let lag = first &+ index
        let sum = Float(energy + movingEnergy)
        if lag < longest { movingEnergy += stretches.move(history, false, length) }
        let likeness = sum > 1e-12 ? min(1, 2 * products[index] / sum) : 0
        if lag == bestLag &+ 1 { right = likeness }
        if likeness > best.likeness {
          best.likeness = likeness
          bestLag = lag
          left = previous
          right = likeness
        }
        previous = likeness
      }
      first = first &+ 4
    }
    best.lag = Double(bestLag)
    let bend = left - 2 * best.likeness + right
    if bestLag > shortest && bestLag < longest && bend < 0 {
      best.lag += 0.5 * Double(left - right) / Double(bend)
    }
    return best
  }

  /// Returns the products of the spans at up to four lags, from the current one on. Sums of several lags at once load
  /// each sample once.
  @_noLocks @inline(__always)
  private func products(
    _ history: borrowing SampleHistory, _ isThin: Bool, _ stretches: Stretches, _ length: Int, count: Int
  ) -> SIMD4<Float> {
    var products = SIMD4<Float>(repeating: 0)
    let (moving, way) = (stretches.moving, stretches.way)
    for channel in 0..<history.channelCount {
      let plane = isThin ? history.thinPlane(channel) : history.plane(channel)
      let standing = plane + stretches.standing
      if count == 4 {
        let found = Correlation.products(standing, plane + (way > 0 ? moving : moving &- 3), count: length)
        products += way > 0 ? found : SIMD4(found[3], found[2], found[1], found[0])
      } else {
        for index in 0..<count {
          products[index] += Correlation.product(standing, plane + (moving &+ way &* index), count: length)
        }
      }
    }
    return products
  }

  @_noLocks
  private func energy(_ history: borrowing SampleHistory, _ isThin: Bool, _ begin: Int, _ length: Int) -> Double {
    var energy = 0.0
    for channel in 0..<history.channelCount {
      let samples = (isThin ? history.thinPlane(channel) : history.plane(channel)) + begin
      energy += Double(Correlation.product(samples, samples, count: length))
    }
    return energy
  }
}

/// The best lag so far.
private struct Best: BitwiseCopyable {
  var lag: Int
  var score = -Float.infinity
}

/// The starts of the two spans of a signal that are compared; from one lag to the next, one of them moves by a sample.
private struct Stretches: BitwiseCopyable {
  let standing: Int
  private(set) var moving: Int
  /// Direction of the moving span: 1 or -1.
  let way: Int

  @_noLocks
  init(standing: Int, moving: Int, way: Int) {
    self.standing = standing
    self.moving = moving
    self.way = way
  }

  /// Moves on to the next lag.
  ///
  /// - Returns: Change of the moving span's energy, in double precision so that nothing drifts.
  @_noLocks @inline(__always)
  mutating func move(_ history: borrowing SampleHistory, _ isThin: Bool, _ length: Int) -> Double {
    let gone = way > 0 ? moving : moving &+ length &- 1
    let come = way > 0 ? moving &+ length : moving &- 1
    moving = moving &+ way
    var change = 0.0
    for channel in 0..<history.channelCount {
      let plane = isThin ? history.thinPlane(channel) : history.plane(channel)
      let (old, new) = (Double(plane[gone]), Double(plane[come]))
      change += new * new - old * old
    }
    return change
  }
}
