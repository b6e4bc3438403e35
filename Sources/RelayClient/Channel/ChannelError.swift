import Glibc
public import Platform
public import Signalling

/// Error of a channel: a number to test, and a sentence to show.
public struct ChannelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Numbered reason of the error.
  public let code: ChannelErrorCode
  /// Sentence to show: the fault, its place and the remedy.
  public let message: String
  /// Cause, by which a program decides its next step; nil for a fault of the call itself.
  public let cause: FailureCause?
  /// Limit of the relay that is reached; nil for another fault.
  public let limit: NamedLimit?

  /// Creates an error from its parts.
  public init(
    _ code: ChannelErrorCode, _ message: String, cause: FailureCause? = nil, limit: NamedLimit? = nil
  ) {
    self.code = code
    self.message = message
    self.cause = cause
    self.limit = limit
  }

  /// Creates the error of a refusal.
  init(_ report: FailureReport) {
    self.init(report.code, report.sentence, cause: report.cause, limit: report.limit)
  }

  public var description: String { message }
}

extension ChannelError: ExitStatusError {
  /// 77 for a token that is refused, 64 for a wrong argument, else 69.
  public var exitStatus: Int32 {
    switch code {
    case .tokenExpired, .invalidToken: EX_NOPERM
    case .invalidArgument, .channelName, .user: EX_USAGE
    default: EX_UNAVAILABLE
    }
  }
}
