/// The kinds of file that can be written.
enum FileFormat: String, CaseIterable, Sendable {
  case wav, w64, aiff, au, caf, flac, ogg

  /// The kind whose extension a path has, in any case; nil where there is none or it is not known.
  init?(path: String) {
    let name = fileName(of: path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "wav", "wave": self = .wav
    case "w64": self = .w64
    case "aif", "aiff", "aifc": self = .aiff
    case "au", "snd": self = .au
    case "caf": self = .caf
    case "flac": self = .flac
    case "ogg", "oga": self = .ogg
    default: return nil
    }
  }

  /// The sample formats that a file of this kind can hold; empty where it is lossy and has none.
  var sampleFormats: [SampleFormat] {
    switch self {
    case .wav, .w64: SampleFormat.allCases
    case .aiff, .au, .caf: [.s16, .s24, .s32, .f32, .f64]
    case .flac: [.s16, .s24]
    case .ogg: []
    }
  }
}

/// The last component of a path.
func fileName(of path: String) -> String {
  String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
}
