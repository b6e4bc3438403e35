/// Failure of libopus.
public struct OpusError: Error, Hashable, BitwiseCopyable, CustomStringConvertible {
  /// Operation of libopus.
  public enum Operation: UInt8, Sendable, BitwiseCopyable {
    /// Allocation of an encoder or decoder.
    case create
    /// Setting or query of an option.
    case configure
    /// Encoding of samples into a packet.
    case encode
    /// Decoding of a packet into samples.
    case decode
  }

  /// Operation that failed.
  public let operation: Operation
  /// Error number of the library, below 0.
  public let code: Int32

  @_noLocks
  init(_ operation: Operation, code: Int32) {
    self.operation = operation
    self.code = code
  }

  public var description: String { "Opus could not \(operation): \(OpusLibrary.message(code)) (\(code))" }
}
