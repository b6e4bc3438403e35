/// The kinds of sound files.
public enum AudioContainer: String, CaseIterable, Hashable, Sendable {
  /// Kinds with a header: WAV is read and written here, the others by libsndfile.
  case wav, flac, ogg, opus, mp3, aiff, au, caf, w64
  /// Samples without a header.
  case raw

  /// The kind that a path's extension or a format's name means; nil where none does.
  public init?(name: String) {
    switch name.lowercased() {
    case "wav", "wave", "rf64", "bwf": self = .wav
    case "flac": self = .flac
    case "ogg", "oga", "vorbis": self = .ogg
    case "opus": self = .opus
    case "mp3": self = .mp3
    case "aiff", "aif", "aifc": self = .aiff
    case "au", "snd": self = .au
    case "caf": self = .caf
    case "w64": self = .w64
    default: return nil
    }
  }

  /// The kind that the extension of `path` means.
  ///
  /// Throws: `outputKind` with the extension that nobody knows.
  public static func forOutput(path: String) throws(AudioFileError) -> AudioContainer {
    let file = path.split(separator: "/", omittingEmptySubsequences: true).last ?? ""
    let name =
      file.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last.map(String.init) ?? ""
    guard let container = AudioContainer(name: name) else {
      throw AudioFileError(.outputKind(name), path: path)
    }
    return container
  }

  static let outputNames = "wav, flac, ogg, opus, mp3, aiff, au, caf or w64"
}
