import DSP

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

  let tuning: PitchShiftParameters

  init(_ tuning: PitchShiftParameters) { self.tuning = tuning }

  /// The best lag on the thinned signal, in thin samples.
  ///
  /// - Parameters:
  ///   - position: where the jump would begin, in samples.
  ///   - direction: -1 to jump back, 1 to jump ahead.
  ///   - newest: behind the last sample that may be looked at.
  @_noLocks
  func coarse(_ history: borrowing SampleHistory, position: Int, direction: Int, newest: Int) -> Int {
    let step = tuning.decimation
    // Index of the thin sample next to the position.
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

  /// Looks for the best lag among some, on the thinned signal.
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

  /// The best lag near `coarse` thin samples, to a fraction of a sample.
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

  /// The products of the stretches at up to four lags, from where they stand now on. Sums of several lags at once load
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

/// Where the two stretches of a signal begin that are compared; from one lag to the next one of them moves by a sample.
private struct Stretches: BitwiseCopyable {
  let standing: Int
  private(set) var moving: Int
  /// 1 or -1.
  let way: Int

  @_noLocks
  init(standing: Int, moving: Int, way: Int) {
    self.standing = standing
    self.moving = moving
    self.way = way
  }

  /// Goes on to the next lag. Returns: what the energy of the moving stretch gains, in double precision so that nothing
  /// drifts.
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
