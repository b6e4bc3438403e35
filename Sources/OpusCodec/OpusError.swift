/// What libopus answered instead of doing it.
public struct OpusError: Error, Hashable, BitwiseCopyable, CustomStringConvertible {
  /// What was asked for.
  public enum Operation: UInt8, Sendable, BitwiseCopyable {
    /// Memory for an encoder or decoder.
    case create
    /// An option or a question.
    case configure
    /// A packet from samples.
    case encode
    /// Samples from a packet.
    case decode
  }

  /// What was asked for.
  public let operation: Operation
  /// The library's error number, below 0.
  public let code: Int32

  @_noLocks
  init(_ operation: Operation, code: Int32) {
    self.operation = operation
    self.code = code
  }

  public var description: String { "Opus could not \(operation): \(OpusLibrary.message(code)) (\(code))" }
}
