public import AudioFiles
import Glibc

/// Failure of a program that received frames.
public struct FrameProgramError: Error, Hashable, Sendable {
  /// Reasons for the failure.
  public enum Reason: Hashable, Sendable {
    /// It could not be started (errno).
    case start(Int32)
    /// It ended with this exit status.
    case exit(Int32)
    /// It was ended by this signal.
    case signal(Int32)
    /// A filter had answered only some bytes of a frame when its time was over.
    case late(answered: Int, of: Int, milliseconds: Int)
    /// A filter closed its output, or ended, when it had answered only some bytes of a frame.
    case ended(answered: Int, of: Int)
    /// A filter answered more bytes than it received.
    case answeredMore
  }

  /// Reason for the failure.
  public let reason: Reason
  /// Command line of the program.
  public let command: String
  /// Use that the program makes of the frames.
  public let role: FrameProgram.Role

  /// Creates an error of a program.
  public init(_ reason: Reason, command: String, role: FrameProgram.Role) {
    self.reason = reason
    self.command = command
    self.role = role
  }

  /// Category for the exit code of a program that meets this error: a filter's answer is input, a reader's missing
  /// frames are output.
  ///
  /// A shell exits with 126 if it cannot run a file, and with 127 if the file does not exist.
  public var category: AudioFileError.Category {
    switch reason {
    case .start, .exit(126), .exit(127): .unavailable
    default: role == .filter ? .badData : .inputOutput
    }
  }
}

extension FrameProgramError: CustomStringConvertible {
  /// One sentence: the program, the fault and a remedy.
  public var description: String { "the program '\(Self.short(command))' \(sentence)" }

  /// Returns the part of a command line that fits into a sentence: 60 characters of the first line.
  static func short(_ command: String) -> String {
    let line = command.prefix { !$0.isNewline }.prefix(60)
    return line.endIndex == command.endIndex ? command : line + "..."
  }

  private var sentence: String {
    switch reason {
    case .start(let code): "could not be started (\(String(cString: strerror(code)))); check the system's limits"
    case .exit(126): "is not an executable file; change its mode, or name its interpreter"
    case .exit(127): "was not found; check its name and the PATH"
    case .exit(let status): "ended with exit status \(status); look at what it wrote, or run it by hand on raw samples"
    case .signal(let number): "was ended by signal \(number); run it by hand on raw samples"
    case .late(let answered, let count, let limit):
      "answered \(answered) of a frame's \(count) bytes within \(Self.seconds(limit)); a filter must answer each frame "
        + "before it gets the next: one that waits for more input, as sox does, must process the whole file instead"
    case .ended(let answered, let count):
      "ended after \(answered) of a frame's \(count) bytes; a filter must answer every frame until its input ends"
    case .answeredMore:
      "answered more bytes than it was given; a filter must answer each frame with raw samples of the same length"
    }
  }

  static func seconds(_ milliseconds: Int) -> String {
    milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }
}
