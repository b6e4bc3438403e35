/// Kind of a sound file.
public enum AudioContainer: String, CaseIterable, Hashable, Sendable {
  /// Kinds with a header: WAV is read and written here, the others by libsndfile.
  case wav, flac, ogg, opus, mp3, aiff, au, caf, w64
  /// Samples without a header.
  case raw

  /// Creates the kind that a path's extension or a format's name means; nil if none does.
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

  /// Kinds that can be written.
  public static let writable: [AudioContainer] = [.wav, .w64, .aiff, .au, .caf, .flac, .ogg, .opus, .mp3]

  /// Creates the kind that the extension of `path` means, in any case; nil without an extension or for an unknown one.
  public init?(path: String) {
    let file = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let parts = file.split(separator: ".", omittingEmptySubsequences: false)
    // A name that begins with its only point has no extension.
    guard parts.count > 2 || parts.count == 2 && !parts[0].isEmpty else { return nil }
    self.init(name: String(parts.last!))
  }

  /// Sample formats that a file of this kind can store; empty for a lossy kind, which has none.
  public var sampleFormats: [SampleFormat] {
    switch self {
    case .wav, .w64, .raw: SampleFormat.allCases
    case .aiff, .au, .caf: [.int16, .int24, .int32, .float32, .float64]
    case .flac: [.int16, .int24]
    case .ogg, .opus, .mp3: []
    }
  }

  /// Sample rates that a file of this kind can have, in Hz; nil if it can have any.
  ///
  /// Source: RFC 6716 section 2; ISO 11172-3 and 13818-3 with the quarter rates of MPEG 2.5.
  public var sampleRates: [Int]? {
    switch self {
    case .opus: [8_000, 12_000, 16_000, 24_000, 48_000]
    case .mp3: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
    default: nil
    }
  }

  /// Whether no program reads a file of this kind without any sound.
  var needsSound: Bool {
    switch self {
    case .flac, .ogg, .opus, .mp3: true
    default: false
    }
  }

  /// Returns the kind that the extension of `path` means.
  ///
  /// - Throws: `outputKind` with the extension if it is unknown.
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
