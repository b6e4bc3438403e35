import DSP

/// Smooths the pitch from window to window, with a delay of one frame.
///
/// A hidden Markov model, with the window's candidates and "unvoiced" as its states. It weighs evidence against the
/// improbability of jumps in pitch, and of beginnings and ends of voice. The forward pass gives the probability of each
/// state of a window; one step of the backward pass adds the evidence of the next window.
///
/// Source: Mauch and Dixon, "pYIN: a fundamental frequency estimator using probabilistic threshold distributions", 2014
/// (candidates with probabilities, and a Markov model over them); Rabiner, "A tutorial on hidden Markov models", 1989.
struct LiveSmoother: ~Copyable {
  /// Time from one window to the next, in seconds: each is decided when the next one comes.
  static var delaySeconds: Double { @_noLocks get { 0.01 } }

  /// Shape: a value for each candidate of the window before: Hz, octave, forward probability, and backward weight from
  /// the newest window.
  private let hertz: UnsafeMutablePointer<Float>
  private let octaves: UnsafeMutablePointer<Float>
  private let forward: UnsafeMutablePointer<Float>
  private let backward: UnsafeMutablePointer<Float>
  /// Shape: forward probabilities of the newest window.
  private let next: UnsafeMutablePointer<Float>
  private var count = 0
  private var unvoiced: Float = 1

  init() {
    let capacity = CandidatePicker.capacity
    hertz = .allocate(capacity: 5 * capacity)
    hertz.initialize(repeating: 0, count: 5 * capacity)
    octaves = hertz + capacity
    forward = hertz + 2 * capacity
    backward = hertz + 3 * capacity
    next = hertz + 4 * capacity
  }

  deinit { hertz.deallocate() }

  /// Takes the newest window's candidates.
  ///
  /// - Parameters:
  ///   - candidates: candidates of the window.
  ///   - newCount: number of valid candidates.
  /// - Returns: the pitch of the window before it.
  @_noLocks
  mutating func follow(_ candidates: UnsafeMutablePointer<PitchCandidate>, count newCount: Int) -> PitchEstimate {
    let rates = TransitionRates.live
    var silent = unvoiced
    var silentBackward: Float = 1
    for index in 0..<count {
      silent += forward[index] * rates.change
      backward[index] = rates.change
    }
    var total = silent
    for index in 0..<newCount {
      let candidate = candidates[index]
      let weight = fastExp2(candidate.evidence < 40 ? candidate.evidence : 40)
      var reached = unvoiced * rates.change
      silentBackward += rates.change * weight
      for before in 0..<count {
        let arrival = rates.stay(octaves[before] - candidate.octave)
        reached += forward[before] * arrival
        backward[before] += arrival * weight
      }
      next[index] = reached * weight
      total += next[index]
    }
    let estimate = decide(silentBackward)
    let scale = 1 / total
    for index in 0..<newCount {
      hertz[index] = candidates[index].hertz
      octaves[index] = candidates[index].octave
      forward[index] = next[index] * scale
    }
    unvoiced = silent * scale
    count = newCount
    return estimate
  }

  mutating func reset() { (count, unvoiced) = (0, 1) }

  /// Returns the likeliest candidate of the window before, if voice is at least as likely as none.
  @_noLocks
  private func decide(_ silentBackward: Float) -> PitchEstimate {
    var voiced: Float = 0
    var highest: Float = 0
    var pitch: Float = 0
    for index in 0..<count {
      let probability = forward[index] * backward[index]
      voiced += probability
      if probability > highest { (highest, pitch) = (probability, hertz[index]) }
    }
    let voicing = voiced / (voiced + unvoiced * silentBackward)
    return PitchEstimate(hertz: voicing >= 0.5 ? pitch : 0, voicing: voicing)
  }
}
