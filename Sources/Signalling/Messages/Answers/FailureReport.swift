import JSON

/// Refusal of a request, or the end of a channel or a session.
///
/// With a reason the connection is `failed`, or `disconnected` for the reason `leave`: of the channel if one is named,
/// else of the session. Without a reason only the request is refused.
public struct FailureReport: Hashable, Sendable, MessageContent {
  static let type = "failed"

  /// Id of the refused request; nil for an event.
  public let id: UInt32?
  /// Channel; nil for the session.
  public let channel: ChannelName?
  /// Channel to which the client wanted to relay its audio; nil for another fault.
  public let destination: ChannelName?
  /// Number of the refusal; a number that this version does not have counts as `general`.
  public let code: ChannelErrorCode
  /// Reason of the new state; nil if the state stays. An unknown number counts as `rejected`.
  public let reason: ConnectionReason?
  /// Sentence to show: the fault, its place and the remedy.
  public let sentence: String
  /// Cause, by which a program decides its next step. A cause that this version does not have counts as `other`.
  public let cause: FailureCause
  /// Limit that is reached; nil for another fault.
  public let limit: NamedLimit?

  /// Creates a report. Without a cause it has that of its code, reason and limit.
  public init(
    id: UInt32? = nil, channel: ChannelName? = nil, code: ChannelErrorCode, reason: ConnectionReason? = nil,
    sentence: String, cause: FailureCause? = nil, limit: NamedLimit? = nil, destination: ChannelName? = nil
  ) {
    self.id = id
    self.channel = channel
    self.destination = destination
    self.code = code
    self.reason = reason
    self.sentence = sentence
    self.cause = cause ?? FailureCause(code, reason, hasLimit: limit != nil)
    self.limit = limit
  }

  /// Creates the answer to a message that cannot be read.
  public init(_ error: MessageError) {
    self.init(id: error.requestID, code: error.code, sentence: error.description)
  }

  /// Creates the answer to a request with a token that is refused.
  ///
  /// - Parameters:
  ///   - error: Reason of the refusal.
  ///   - id: Number of the request.
  ///   - channel: Channel of the request; nil for none.
  ///   - destination: Channel to which the client wanted to relay its audio; nil for another request.
  ///   - keepsState: Whether the state stays, as after a refused `renewToken`.
  public init(
    _ error: TokenError, id: UInt32?, channel: ChannelName? = nil, destination: ChannelName? = nil,
    keepsState: Bool = false
  ) {
    self.init(
      id: id, channel: channel, code: error.code, reason: keepsState ? nil : error.reason, sentence: error.description,
      cause: error.cause, destination: destination)
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.integer("id", in: 1...UInt32.max)
    channel = try fields.channel()
    destination = try fields.channel("destination")
    code = try fields.require("code", fields.number("code", unknown: ChannelErrorCode.general))
    reason = try fields.number("reason", unknown: ConnectionReason.rejected)
    sentence = try fields.require("sentence", fields.text("sentence", bytes: 1...MessageLimits.sentenceByteCount))
    var limit: NamedLimit?
    if let fields = try fields.object("limit") { limit = try NamedLimit(fields) }
    self.limit = limit
    let cause = try fields.parsed("cause", "a text") {
      FailureCause(rawValue: $0).flatMap { $0 == .unreached ? nil : $0 } ?? .other
    }
    // Earlier relays name none.
    self.cause = cause ?? FailureCause(code, reason, hasLimit: limit != nil)
  }

  func write(to json: inout JSONWriter) {
    json.optional("id", id)
    json.channel(channel)
    json.optional("destination", destination?.text)
    json.field("code", code.rawValue)
    if let reason { json.field("reason", reason.rawValue) }
    json.field("sentence", sentence)
    json.field("cause", cause.rawValue)
    if let limit { json.object("limit") { limit.write(to: &$0) } }
  }
}
