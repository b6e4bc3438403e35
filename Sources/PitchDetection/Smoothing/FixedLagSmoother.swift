import DSP

/// Smooths the pitch from window to window, with windows both before and after it.
///
/// It uses the model of `LiveSmoother`. The pitch is that of the likeliest path (Viterbi) through a window and those up
/// to 200 ms after it. The probability of voice comes from the forward and backward passes over the same windows.
/// Memory and work for a window are therefore fixed, for any length of sound.
///
/// Source: Forney, "The Viterbi algorithm", 1973 (a fixed lag in place of the end); Rabiner, 1989.
struct FixedLagSmoother: ~Copyable {
  /// Number of windows after the window to be decided.
  static var lag: Int { @_noLocks get { 20 } }

  private static var states: Int { @_noLocks get { WindowRecord.stateCount } }
  /// Index of "unvoiced".
  private static var unvoiced: Int { @_noLocks get { WindowRecord.stateCount &- 1 } }

  /// A ring of `lag + 1` records.
  private let records: UnsafeMutablePointer<WindowRecord>
  private let values: UnsafeMutablePointer<Float>
  private let origins: UnsafeMutablePointer<Int32>
  /// Log2 likelihood of the best path to each state; `nextScores` holds those of the next window.
  private let scores: UnsafeMutablePointer<Float>
  private let nextScores: UnsafeMutablePointer<Float>
  private var oldest = 0
  private(set) var count = 0

  init() {
    let capacity = Self.lag + 1
    records = .allocate(capacity: capacity)
    values = .allocate(capacity: capacity * WindowRecord.valueCount)
    values.initialize(repeating: 0, count: capacity * WindowRecord.valueCount)
    origins = .allocate(capacity: capacity * Self.states)
    origins.initialize(repeating: 0, count: capacity * Self.states)
    for index in 0..<capacity {
      (records + index).initialize(
        to: WindowRecord(values: values + index * WindowRecord.valueCount, origins: origins + index * Self.states))
    }
    scores = .allocate(capacity: Self.states)
    nextScores = .allocate(capacity: Self.states)
    scores.initialize(repeating: 0, count: Self.states)
    nextScores.initialize(repeating: 0, count: Self.states)
  }

  deinit {
    records.deallocate()
    values.deallocate()
    origins.deallocate()
    scores.deallocate()
    nextScores.deallocate()
  }

  /// Takes the next window's candidates; `isFull` must be false, so take points until it is.
  @_noLocks
  mutating func push(_ candidates: UnsafeMutablePointer<PitchCandidate>, count newCount: Int, seconds: Double) {
    precondition(!isFull, "no room for another window")
    let place = wrapped(oldest &+ count)
    records[place].seconds = seconds
    records[place].count = newCount
    let record = records[place]
    for index in 0..<newCount {
      let evidence = candidates[index].evidence < 40 ? candidates[index].evidence : 40
      record.hertz[index] = candidates[index].hertz
      record.octaves[index] = candidates[index].octave
      record.weights[index] = evidence
    }
    record.hertz[Self.unvoiced] = 0
    record.weights[Self.unvoiced] = 0
    count == 0 ? begin(record) : advance(record, from: records[wrapped(place &+ Self.lag)])
    count = count &+ 1
  }

  /// Whether a point must be taken before the next window.
  var isFull: Bool { @_noLocks get { count == Self.lag &+ 1 } }

  /// Returns and removes the oldest window's pitch, given all windows after it; nil if there is none.
  @_noLocks
  mutating func pop() -> PitchPoint? {
    guard count > 0 else { return nil }
    let newest = records[wrapped(oldest &+ count &- 1)]
    var best = Self.unvoiced
    for state in 0..<newest.count where scores[state] > scores[best] { best = state }
    for state in 0..<Self.states { newest.backward[state] = 1 }
    var index = count &- 1
    while index > 0 {
      let record = records[wrapped(oldest &+ index)]
      let before = records[wrapped(oldest &+ index &- 1)]
      best = Int(record.origins[best])
      retreat(record, to: before)
      index = index &- 1
    }
    let record = records[oldest]
    var voiced: Float = 0
    for state in 0..<record.count { voiced += record.forward[state] * record.backward[state] }
    let silent = record.forward[Self.unvoiced] * record.backward[Self.unvoiced]
    let estimate = PitchEstimate(hertz: record.hertz[best], voicing: voiced / (voiced + silent))
    oldest = wrapped(oldest &+ 1)
    count = count &- 1
    return PitchPoint(seconds: record.seconds, estimate: estimate)
  }

  mutating func reset() { (oldest, count) = (0, 0) }

  @_noLocks @inline(__always)
  private func wrapped(_ index: Int) -> Int { index % (Self.lag &+ 1) }

  /// Starts with the first window, which silence precedes.
  @_noLocks
  private func begin(_ record: WindowRecord) {
    let change = TransitionRates.offline.change
    for state in 0..<record.count {
      scores[state] = record.weights[state] + fastLog2(change)
      record.forward[state] = fastExp2(record.weights[state]) * change
    }
    scores[Self.unvoiced] = 0
    record.forward[Self.unvoiced] = 1
    normalize(record.forward, record.count)
  }

  /// Performs one step of both forward passes.
  @_noLocks
  private func advance(_ record: WindowRecord, from before: WindowRecord) {
    let rates = TransitionRates.offline
    let silent = Self.unvoiced
    var highest = -Float.greatestFiniteMagnitude
    var state = 0
    while state <= silent {
      let arrivals = record.arrivals(at: state)
      var best = silent
      arrivals[silent] = state == silent ? 1 : rates.change
      var bestScore = scores[silent] + (state == silent ? 0 : fastLog2(rates.change))
      var sum = before.forward[silent] * arrivals[silent]
      for origin in 0..<before.count {
        let change =
          state == silent ? fastLog2(rates.change) : rates.cost(before.octaves[origin] - record.octaves[state])
        arrivals[origin] = state == silent ? rates.change : fastExp2(change)
        sum += before.forward[origin] * arrivals[origin]
        if scores[origin] + change > bestScore { (best, bestScore) = (origin, scores[origin] + change) }
      }
      record.origins[state] = Int32(truncatingIfNeeded: best)
      nextScores[state] = bestScore + record.weights[state]
      record.weights[state] = fastExp2(record.weights[state])
      record.forward[state] = sum * record.weights[state]
      if nextScores[state] > highest { highest = nextScores[state] }
      state = state &+ 1
      if state == record.count { state = silent }
    }
    for state in 0..<record.count { scores[state] = nextScores[state] - highest }
    scores[silent] = nextScores[silent] - highest
    normalize(record.forward, record.count)
  }

  /// Performs one step of the backward pass.
  @_noLocks
  private func retreat(_ record: WindowRecord, to before: WindowRecord) {
    for origin in 0..<before.count { before.backward[origin] = 0 }
    before.backward[Self.unvoiced] = 0
    var state = record.count == 0 ? Self.unvoiced : 0
    while state <= Self.unvoiced {
      let share = record.backward[state] * record.weights[state]
      let arrivals = record.arrivals(at: state)
      for origin in 0..<before.count { before.backward[origin] += share * arrivals[origin] }
      before.backward[Self.unvoiced] += share * arrivals[Self.unvoiced]
      state = state &+ 1
      if state == record.count { state = Self.unvoiced }
    }
    normalize(before.backward, before.count)
  }

  /// Scales the values of the candidates and of "unvoiced" to a sum of 1.
  @_noLocks
  private func normalize(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
    var sum = values[Self.unvoiced]
    for state in 0..<count { sum += values[state] }
    let scale = 1 / sum
    for state in 0..<count { values[state] *= scale }
    values[Self.unvoiced] *= scale
  }
}
