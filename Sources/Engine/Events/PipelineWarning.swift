public import AudioFiles
import Playback

/// A problem after which the pipeline continues: a number to test, and a sentence to show.
public struct PipelineWarning: Hashable, Sendable, CustomStringConvertible {
  /// The numbered reasons.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The music's file cannot be opened; `music` events have the same number.
    public static let cannotOpen = Code(rawValue: MusicReason.cannotOpen.rawValue)
    /// A file of a sound or of a user could not be read to its end; `music` events have the same number.
    public static let interrupted = Code(rawValue: MusicReason.interrupted.rawValue)
    /// Samples of a sound were NaN or infinite, and became 0.
    public static let notFinite = Code(AudioFileWarning.Code.notFinite)
    /// A file has another length than it says, or ends within a sample; the existing samples are read.
    public static let length = Code(AudioFileWarning.Code.length)
    /// A file's samples are finer than 32-bit floats, and are rounded.
    public static let rounded = Code(AudioFileWarning.Code.rounded)
    /// A sound of a job begins after everything else has ended, and is not heard.
    public static let notHeard = Code(rawValue: 707)
    /// A file's channels are for unknown loudspeakers.
    public static let speakers = Code(AudioFileWarning.Code.speakers)

    /// An output could not be written; the sound before the fault may be there.
    public static let outputFailed = Code(rawValue: 709)
    /// An output does not have the loudness that was asked for.
    public static let loudness = Code(rawValue: 715)

    /// Creates the code of a file's warning.
    public init(_ code: AudioFileWarning.Code) { self.init(rawValue: code.rawValue) }
  }

  /// Numbered reason of the warning.
  public let code: Code
  /// The problem, its place, and an action for it.
  public let message: String

  /// Creates a warning.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
