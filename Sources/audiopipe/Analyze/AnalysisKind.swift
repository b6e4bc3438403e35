/// What `analyze` can look for; each is an option of that name, a table of its own and a key of the JSON.
enum AnalysisKind: String, CaseIterable, Sendable {
  case volume

  /// For help, without its full stop.
  var help: String {
    switch self {
    case .volume: "Volume, RMS, peak and voice activity over time; peak, RMS and clipped samples of the whole"
    }
  }
}
