/// Media connection of a join.
enum JoinMedia {
  /// A new connection.
  case terms(MediaTerms)
  /// The connection of a preload, in its present state.
  case preload(Preload)

  /// Answer in SDP; nil for a client with `transport`.
  var answer: String? { if case .terms(let terms) = self { terms.answer } else { nil } }

  var isPreloaded: Bool { if case .preload = self { true } else { false } }
}
