public import AudioFiles
import Playback

/// Something went wrong and the pipeline goes on: a number to test, and a sentence to show.
public struct PipelineWarning: Hashable, Sendable, CustomStringConvertible {
  /// The numbered reasons.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The music's file cannot be opened; `music` events have the same number.
    public static let cannotOpen = Code(rawValue: MusicReason.cannotOpen.rawValue)
    /// The file of a sound could not be read to its end; `music` events have the same number.
    public static let interrupted = Code(rawValue: MusicReason.interrupted.rawValue)
    /// Samples of a sound were NaN or infinite, and became 0.
    public static let notFinite = Code(AudioFileWarning.Code.notFinite)
    /// A file has another length than it says, or ends within a sample: what there is, is read.
    public static let length = Code(AudioFileWarning.Code.length)
    /// A file's samples are finer than 32-bit floats, and are rounded.
    public static let rounded = Code(AudioFileWarning.Code.rounded)
    /// A sound of a job begins after everything else has ended, and is not heard.
    public static let notHeard = Code(rawValue: 707)
    /// A file's channels are for loudspeakers that nothing is known of.
    public static let speakers = Code(AudioFileWarning.Code.speakers)

    /// The number of a file's warning.
    public init(_ code: AudioFileWarning.Code) { self.init(rawValue: code.rawValue) }
  }

  /// The number.
  public let code: Code
  /// What, where, and what to do.
  public let message: String

  /// A warning from its parts.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
