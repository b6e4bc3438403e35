import JSON

/// Reason why a listener does not hear a user.
public struct DiagnosisFinding: Hashable, Sendable {
  /// User.
  public let uid: UInt32
  /// Cause; a name that this version does not have counts as `other`.
  public let cause: DiagnosisCause
  /// Sentence to show: the cause and the remedy.
  public let sentence: String

  /// Creates a finding.
  public init(uid: UInt32, cause: DiagnosisCause, sentence: String) {
    self.uid = uid
    self.cause = cause
    self.sentence = sentence
  }

  init(_ fields: MessageFields) throws(MessageError) {
    uid = try fields.requiredUID()
    cause = try fields.require(
      "cause", fields.parsed("cause", "a text") { DiagnosisCause(rawValue: $0) ?? .other })
    sentence = try fields.require("sentence", fields.text("sentence", bytes: 1...MessageLimits.sentenceByteCount))
  }

  func write(to json: inout JSONWriter) {
    json.field("uid", uid)
    json.field("cause", cause.name)
    json.field("sentence", sentence)
  }
}
