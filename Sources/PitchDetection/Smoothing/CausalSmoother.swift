/// Follows the pitch from window to window with what is known so far.
///
/// A hidden Markov model whose states are the window's candidates and "unvoiced": evidence is weighed against how
/// unlikely it is that the pitch jumps, or that voice begins or ends. The forward pass gives each state's probability.
///
/// Source: Mauch and Dixon, "pYIN: a fundamental frequency estimator using probabilistic threshold distributions", 2014
/// (candidates with probabilities, and a Markov model over them); Rabiner, "A tutorial on hidden Markov models", 1989.
struct CausalSmoother: ~Copyable {
  /// Shape: probability and octave of each candidate of the window before, then the next one's.
  private let probabilities: UnsafeMutablePointer<Float>
  private let octaves: UnsafeMutablePointer<Float>
  private let next: UnsafeMutablePointer<Float>
  private var count = 0
  private var unvoiced: Float = 1

  init() {
    probabilities = .allocate(capacity: CandidatePicker.capacity)
    octaves = .allocate(capacity: CandidatePicker.capacity)
    next = .allocate(capacity: CandidatePicker.capacity)
    for pointer in [probabilities, octaves, next] {
      pointer.initialize(repeating: 0, count: CandidatePicker.capacity)
    }
  }

  deinit {
    probabilities.deallocate()
    octaves.deallocate()
    next.deallocate()
  }

  /// The pitch of the window with these candidates.
  @_noLocks
  mutating func follow(_ candidates: UnsafeMutablePointer<PitchCandidate>, count newCount: Int) -> PitchEstimate {
    let rates = TransitionRates.live
    var voiced: Float = 0
    for index in 0..<count { voiced += probabilities[index] }
    let silent = unvoiced + voiced * rates.change
    var total = silent
    var best = 0
    for index in 0..<newCount {
      var reached = unvoiced * rates.change
      for before in 0..<count {
        reached += probabilities[before] * rates.stay(octaves[before] - candidates[index].octave)
      }
      let evidence = candidates[index].evidence
      next[index] = reached * fastExp2(evidence < 40 ? evidence : 40)
      total += next[index]
      if next[index] > next[best] { best = index }
    }
    let scale = 1 / total
    for index in 0..<newCount {
      probabilities[index] = next[index] * scale
      octaves[index] = candidates[index].octave
    }
    unvoiced = silent * scale
    count = newCount
    let voicing = 1 - unvoiced
    return PitchEstimate(hertz: voicing >= 0.5 && newCount > 0 ? candidates[best].hertz : 0, voicing: voicing)
  }

  mutating func reset() { (count, unvoiced) = (0, 1) }
}
