/// The weights of `CandidateModel`'s features, in their order, as natural logarithms of odds.
///
/// Printed by `swift run -c release PitchModelFit`.
enum CandidateWeights {
  static let values: [Float] = [
    -6.573, 1.688, 7.01, -0.294, 3.374,
    -8.129, 0.353, -0.465, -2.973, -2.052,
    0.127, -0.88, 1.7, 3.77, 4.021,
    -2.935, -1.964, 3.24, 0.521, 3.213,
  ]
}
