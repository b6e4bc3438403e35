/// Kinds of analysis; each is an option of `analyze`, a table of its own and a key of the JSON.
enum AnalysisKind: String, CaseIterable, Sendable {
  case volume
  case pitch
  case loudness

  /// Text for help, without its full stop.
  var help: String {
    switch self {
    case .volume: "Volume, RMS, peak and voice activity over time; peak, RMS and clipped samples of the whole input"
    case .pitch: "Pitch of a voice and its confidence, every 10 ms; voiced share and median pitch"
    case .loudness: "EBU R 128: momentary and short-term loudness over time; integrated loudness, range and true peak"
    }
  }
}
