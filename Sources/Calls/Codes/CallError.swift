/// Error of a call: an origin and a number to test, and a sentence to show.
public struct CallError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Origin of the code.
  public let type: CallErrorType
  /// Number within the type.
  public let code: Int
  /// Cause, if the engine names one, by which a program decides its next step.
  public let cause: FailureCause?
  /// Sentence to show: the fault, its place and the remedy.
  public let message: String

  /// Creates an error from its parts.
  public init(_ type: CallErrorType, code: Int, _ message: String, cause: FailureCause? = nil) {
    self.type = type
    self.code = code
    self.cause = cause
    self.message = message
  }

  /// Creates the error of a call that does not fit.
  init(_ code: ChannelErrorCode, _ message: String) { self.init(.normal, code: code.rawValue, message) }

  /// Creates the error of the engine.
  init(_ error: ChannelError) { self.init(.rtc, code: error.code.rawValue, error.message, cause: error.cause) }

  /// Creates the error of a message.
  init(_ error: SignalError) { self.init(.message, code: error.code, error.message) }

  public var description: String { message }
}
