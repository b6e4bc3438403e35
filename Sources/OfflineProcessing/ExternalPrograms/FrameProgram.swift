public import FrameObservers

/// Another program that receives frames of some positions, or that changes them.
///
///     frame ▶ 16 bits, interleaved, native byte order ▶ stdin of `/bin/sh -c command` [▶ stdout ▶ frame]
///
/// One process runs for each position and source, so each speaker has a separate one. Its environment describes its
/// frames: `AUDIOPIPE_POSITION` (such as `beforeMixing`), `AUDIOPIPE_UID`, `AUDIOPIPE_RATE` (Hz), `AUDIOPIPE_CHANNELS`.
/// A reader receives the samples at the positions from 0 to the stream's end. A filter receives whole frames, with the
/// graph's delay in front and the silence that drains it behind. Then the program's input ends.
public struct FrameProgram: Hashable, Sendable {
  /// Use that the program makes of the frames.
  public enum Role: Hashable, Sendable {
    /// The program reads copies of the frames: it may be slow or stop reading, and nothing is changed.
    case reader
    /// The program answers each frame with as many bytes as it received, before the next one; they replace the frame.
    case filter
  }

  /// Command line, for `/bin/sh -c`.
  public var command: String
  /// Positions of the frames.
  public var positions: ObserverPosition
  /// Use that the program makes of the frames.
  public var role: Role
  /// Further variables of its environment.
  public var environment: [String: String] = [:]
  /// Rate of a reader's frames, in Hz; nil: the pipeline's.
  public var sampleRate: Int?
  /// Descriptor for a reader's own output.
  public var standardOutput: Int32 = 1
  /// Longest time that a filter may take for a frame, and wait for a program before it is reported, in milliseconds.
  public var answerLimitMilliseconds = 5_000

  /// Creates a program from its parts.
  public init(_ command: String, at positions: ObserverPosition, as role: Role = .reader) {
    self.command = command
    self.positions = positions
    self.role = role
  }
}
