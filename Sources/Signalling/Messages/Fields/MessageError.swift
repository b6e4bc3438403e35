/// Reason why a text is not a message. No error shows the text or a field's value.
public struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Number of the refusal.
  public let code: ChannelErrorCode
  /// Id of the request, for its answer; nil if it could not be read.
  public let requestID: UInt32?
  /// Path of the field, such as `transport.candidates[2].port`; nil for a fault of the whole text.
  public let field: String?
  /// Sentence to show: the fault, its place and the remedy.
  public let description: String

  init(_ description: String, code: ChannelErrorCode = .invalidArgument, field: String? = nil, requestID: UInt32? = nil)
  {
    self.code = code
    self.requestID = requestID
    self.field = field
    self.description = description
  }
}
