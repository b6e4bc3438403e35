import JSON

/// Request of a client for a session: the first message of a connection. A session needs no channel.
public struct HelloRequest: Hashable, Sendable, MessageContent {
  static let type = "hello"
  /// Version of the protocol.
  public static let version = 1

  /// Id of the request, from 1 on.
  public let id: UInt32
  /// Token, or the app's id.
  public let credential: SessionCredential
  /// User of the session, which must agree with the token; nil for the token's user.
  public let user: UserIdentity?
  /// Token of `welcome`, to resume that session; nil for a new session.
  public let resume: SecretText?
  /// Any text for logs and the admin API; other users do not see it.
  public let info: String?
  /// Name and version of the client's software.
  public let software: String?

  /// Creates a request.
  public init(
    id: UInt32, credential: SessionCredential, user: UserIdentity? = nil, resume: SecretText? = nil,
    info: String? = nil, software: String? = nil
  ) {
    self.id = id
    self.credential = credential
    self.user = user
    self.resume = resume
    self.info = info
    self.software = software
  }

  init(_ fields: MessageFields) throws(MessageError) {
    let version = try fields.require("version", fields.integer("version", in: 1...UInt32.max))
    guard version == Self.version else {
      throw fields.error("version", "\(Self.version), the version of the protocol here")
    }
    id = try fields.requiredID()
    let token = try fields.secret("token", bytes: 1...MessageLimits.tokenByteCount)
    switch (token, try fields.parsed("app", TokenClaim.app, .invalidArgument, { AppID($0) })) {
    case (let token?, nil): credential = .token(token)
    case (nil, let app?): credential = .app(app)
    case (nil, nil): throw fields.missing("token")
    default: throw fields.error("app", "absent beside 'token', which has the app's id in it")
    }
    user = try fields.optionalIdentity()
    resume = try fields.secret("resume", bytes: 1...MessageLimits.resumeByteCount)
    info = try fields.text("info", bytes: 0...MessageLimits.infoByteCount)
    software = try fields.text("software", bytes: 0...MessageLimits.softwareByteCount)
  }

  func write(to json: inout JSONWriter) {
    json.field("version", Self.version)
    json.field("id", id)
    switch credential {
    case .token(let token): json.field("token", token.text)
    case .app(let app): json.field("app", app.text)
    }
    if let user { json.user(user) }
    json.optional("resume", resume)
    json.optional("info", info)
    json.optional("software", software)
  }
}
