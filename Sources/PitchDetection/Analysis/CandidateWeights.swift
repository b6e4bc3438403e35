/// The weights of `CandidateModel`'s features, in their order, as natural logarithms of odds.
///
/// Printed by `swift run -c release PitchModelFit`.
enum CandidateWeights {
  static let values: [Float] = [
    -8.907, 6.187, 0.91, -0.18, 2.17,
    2.764, -0.498, 0.053, -1.509, -1.122,
    1.172, -0.303, 6.145, 0.208, 3.486,
    -0.174, -0.232, 4.355, -0.291, 2.771,
    -0.455, -1.274, -2.695, 0.718,
  ]
}
