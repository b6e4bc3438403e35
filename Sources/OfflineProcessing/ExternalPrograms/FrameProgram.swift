public import FrameObservers

/// Another program that is given frames of some positions, or that changes them.
///
///     frame ▶ 16 bits, interleaved, native byte order ▶ stdin of `/bin/sh -c command` [▶ stdout ▶ frame]
///
/// One process runs for each position and source: each speaker has its own. It finds what it gets in its environment:
/// `AUDIOPIPE_POSITION` (such as `beforeMixing`), `AUDIOPIPE_UID`, `AUDIOPIPE_RATE` (Hz), `AUDIOPIPE_CHANNELS`.
/// A reader is given the samples at the positions from 0 to the stream's end, a filter whole frames, with the graph's
/// delay in front and the silence that drains it behind; then comes the end of its input.
public struct FrameProgram: Hashable, Sendable {
  /// What the program does with the frames.
  public enum Role: Hashable, Sendable {
    /// It reads them, from copies: it may be slow, it may stop reading, and nothing is changed.
    case reader
    /// It answers each frame with as many bytes as it was given, before it gets the next; they replace the frame.
    case filter
  }

  /// The command line, for `/bin/sh -c`.
  public var command: String
  /// Which frames.
  public var positions: ObserverPosition
  /// What the program does with them.
  public var role: Role
  /// Further variables of its environment.
  public var environment: [String: String] = [:]
  /// The descriptor to which a reader's own output goes.
  public var standardOutput: Int32 = 1
  /// How long a filter may take for a frame, and how long the pipeline waits for a program before that is told, in
  /// milliseconds.
  public var answerLimitMilliseconds = 5_000

  /// A program from its parts.
  public init(_ command: String, at positions: ObserverPosition, as role: Role = .reader) {
    self.command = command
    self.positions = positions
    self.role = role
  }
}
