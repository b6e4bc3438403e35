import Glibc

/// Error of an engine call: a number to test, a sentence to show, and the cause.
public struct EngineError: Error, CustomStringConvertible {
  /// Numbered reason of an error.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A failure of which nothing more is known.
    public static let general = Code(rawValue: -1)
    /// An argument is out of its range.
    public static let invalidArgument = Code(rawValue: -2)
    /// The call came before its prerequisites.
    public static let notReady = Code(rawValue: -3)
    /// The engine refuses the call.
    public static let refused = Code(rawValue: -5)
    /// The call is not allowed in this state.
    public static let wrongState = Code(rawValue: -8)
  }

  /// Number of the reason.
  public let code: Code
  /// Sentence to show: the fault, its place and the remedy.
  public let message: String
  /// The underlying error; nil if none.
  public let cause: (any Error)?

  /// Creates an error from its parts.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}

extension EngineError: ExitStatusError {
  /// Status of the cause, if it has one; else 64 for a wrong argument, 70 for a call in the wrong order, and 74.
  public var exitStatus: Int32 {
    if let cause = cause as? any ExitStatusError { return cause.exitStatus }
    return switch code {
    case .invalidArgument: EX_USAGE
    case .notReady, .wrongState: EX_SOFTWARE
    default: EX_IOERR
    }
  }
}
