/// Message of a client to a relay: a request with an id, which the answer repeats.
///
/// Thread: any.
public enum ClientMessage: Hashable, Sendable {
  /// Opens a session.
  case hello(HelloRequest)
  /// Joins a channel.
  case join(JoinRequest)
  /// Changes options in a channel.
  case update(UpdateRequest)
  /// Replaces a token.
  case renewToken(RenewalRequest)
  /// Leaves a channel.
  case leave(LeaveRequest)
  /// Requests a sign of life.
  case ping(PingRequest)
  /// Requests the reasons of silence.
  case diagnose(DiagnosisRequest)
  /// Sends a message to a user.
  case message(MessageRequest)
  /// Requests whether a user is online.
  case presence(PresenceRequest)
  /// Makes the media connection of a later join.
  case preload(PreloadRequest)
  /// Relays the client's audio to other channels.
  case relayMedia(MediaRelayRequest)

  /// Reads a message.
  ///
  /// - Returns: Nil for a type that this version does not have; such a message is ignored.
  /// - Throws: The first fault, with its field and the id of the request.
  public init?(reading text: String) throws(MessageError) {
    let fields = try MessageFields(reading: text)
    switch fields.type {
    case HelloRequest.type: self = .hello(try HelloRequest(fields))
    case JoinRequest.type: self = .join(try JoinRequest(fields))
    case UpdateRequest.type: self = .update(try UpdateRequest(fields))
    case RenewalRequest.type: self = .renewToken(try RenewalRequest(fields))
    case LeaveRequest.type: self = .leave(try LeaveRequest(fields))
    case PingRequest.type: self = .ping(try PingRequest(fields))
    case DiagnosisRequest.type: self = .diagnose(try DiagnosisRequest(fields))
    case MessageRequest.type: self = .message(try MessageRequest(fields))
    case PresenceRequest.type: self = .presence(try PresenceRequest(fields))
    case PreloadRequest.type: self = .preload(try PreloadRequest(fields))
    case MediaRelayRequest.type: self = .relayMedia(try MediaRelayRequest(fields))
    default: return nil
    }
  }

  /// Text of the message. Values beyond `MessageLimits` are written as they are, and the reader refuses them.
  public var text: String { content.text }

  /// Id of the request, which its answer repeats.
  public var id: UInt32 {
    switch self {
    case .hello(let request): request.id
    case .join(let request): request.id
    case .update(let request): request.id
    case .renewToken(let request): request.id
    case .leave(let request): request.id
    case .ping(let request): request.id
    case .diagnose(let request): request.id
    case .message(let request): request.id
    case .presence(let request): request.id
    case .preload(let request): request.id
    case .relayMedia(let request): request.id
    }
  }

  private var content: any MessageContent {
    switch self {
    case .hello(let content): content
    case .join(let content): content
    case .update(let content): content
    case .renewToken(let content): content
    case .leave(let content): content
    case .ping(let content): content
    case .diagnose(let content): content
    case .message(let content): content
    case .presence(let content): content
    case .preload(let content): content
    case .relayMedia(let content): content
    }
  }
}
