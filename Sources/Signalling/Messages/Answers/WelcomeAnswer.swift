import JSON

/// Answer to `hello`: the session exists.
public struct WelcomeAnswer: Hashable, Sendable, MessageContent {
  static let type = "welcome"

  /// Id of the request.
  public let id: UInt32
  /// Id of the session, for logs.
  public let session: String
  /// Token with which a later connection resumes this session.
  public let resume: SecretText
  /// Whether the earlier session was still there, with its channels.
  public let resumed: Bool
  /// Time by the relay's clock, in ms since 1970.
  public let time: Int64
  /// Longest silence of a client, in ms; a client with nothing else to send sends `ping`.
  public let keepAliveMilliseconds: Int64
  /// Limits of the relay.
  public let limits: [NamedLimit]
  /// Uid of the session's account in each channel, unless another user there has it; nil without an account.
  public let uid: UInt32?

  /// Creates an answer.
  public init(
    id: UInt32, session: String, resume: SecretText, resumed: Bool = false, time: Int64, keepAliveMilliseconds: Int64,
    limits: [NamedLimit] = [], uid: UInt32? = nil
  ) {
    self.id = id
    self.session = session
    self.resume = resume
    self.resumed = resumed
    self.time = time
    self.keepAliveMilliseconds = keepAliveMilliseconds
    self.limits = limits
    self.uid = uid
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    session = try fields.require("session", fields.text("session", bytes: 1...MessageLimits.sessionByteCount))
    resume = try fields.require("resume", fields.secret("resume", bytes: 1...MessageLimits.resumeByteCount))
    resumed = try fields.flag("resumed") ?? false
    uid = try fields.uid()
    time = try fields.require("time", fields.integer("time", in: MessageLimits.milliseconds))
    keepAliveMilliseconds = try fields.require(
      "keepAliveMilliseconds", fields.integer("keepAliveMilliseconds", in: MessageLimits.milliseconds))
    var limits: [NamedLimit] = []
    for fields in try fields.objects("limits", atMost: MessageLimits.limitCount) ?? [] {
      limits.append(try NamedLimit(fields))
    }
    self.limits = limits
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.field("session", session)
    json.field("resume", resume.text)
    json.field("resumed", resumed)
    json.optional("uid", uid)
    json.field("time", Int(time))
    json.field("keepAliveMilliseconds", Int(keepAliveMilliseconds))
    json.array("limits") { json in
      for element in limits { json.object { element.write(to: &$0) } }
    }
  }
}
