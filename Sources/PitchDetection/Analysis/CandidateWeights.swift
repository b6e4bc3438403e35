/// The weights of `CandidateModel`'s features, in their order, as natural logarithms of odds.
///
/// Printed by `swift run -c release PitchModelFit`.
enum CandidateWeights {
  static let values: [Float] = [
    -7.782, 4.121, 1.763, -0.202, 2.558,
    2.828, 0.214, -0.099, -1.392, -0.906,
    1.284, -0.28, 5.25, 1.308, 3.283,
    -0.35, 1.054, 3.643, -0.031, 2.867,
    0.304, -1.264, -2.682, 0.424,
  ]
}
