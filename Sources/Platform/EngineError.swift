/// What an engine call throws: a number to test, a sentence to show, and what lay beneath.
public struct EngineError: Error, CustomStringConvertible {
  /// The numbered reasons.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Nothing more is known.
    public static let general = Code(rawValue: -1)
    /// An argument is out of its range.
    public static let invalidArgument = Code(rawValue: -2)
    /// The call came before what it needs was there.
    public static let notReady = Code(rawValue: -3)
    /// The engine refuses.
    public static let refused = Code(rawValue: -5)
    /// The call is not allowed in this state.
    public static let wrongState = Code(rawValue: -8)
  }

  /// The number.
  public let code: Code
  /// What is wrong, where, and what to do.
  public let message: String
  /// The error beneath, if any.
  public let cause: (any Error)?

  /// An error from its parts.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}
