/// Message of a relay to a client: an answer to a request, or an event.
///
/// Thread: any.
public enum RelayMessage: Hashable, Sendable {
  /// The session exists.
  case welcome(WelcomeAnswer)
  /// The client is in a channel.
  case joined(JoinedAnswer)
  /// The options are in effect.
  case updated(UpdatedAnswer)
  /// The new token is in effect.
  case tokenRenewed(RenewedAnswer)
  /// The client has left a channel.
  case left(LeftAnswer)
  /// The relay is alive.
  case pong(PongAnswer)
  /// Findings for users that are not heard.
  case diagnosis(DiagnosisAnswer)
  /// A message has reached its receiver.
  case delivered(DeliveredAnswer)
  /// The receiver of a message has no session.
  case noSuchUser(NoSuchUserAnswer)
  /// A user is online, or is not.
  case presence(PresenceAnswer)
  /// The media connection of a later join is prepared.
  case preloaded(PreloadedAnswer)
  /// The client's audio is relayed to other channels.
  case mediaRelayed(MediaRelayAnswer)
  /// A request is refused, or a channel or session has ended.
  case failed(FailureReport)
  /// A user has joined.
  case userJoined(UserJoinedEvent)
  /// A user has left.
  case userLeft(UserLeftEvent)
  /// A user has changed.
  case userUpdated(UserUpdatedEvent)
  /// The packets of other users than before go to the client.
  case speakers(SpeakersEvent)
  /// The client may send messages of data streams from now on, or no more.
  case dataUpdated(DataUpdatedEvent)
  /// A token is about to expire.
  case tokenWillExpire(TokenExpiryEvent)
  /// The client should continue at another relay.
  case moveTo(MoveEvent)
  /// A user has sent a message.
  case message(MessageEvent)
  /// The client's audio is no longer relayed to another channel.
  case mediaRelayEnded(MediaRelayEndedEvent)

  /// Reads a message.
  ///
  /// - Returns: Nil for a type that this version does not have; such a message is ignored.
  /// - Throws: The first fault, with its field and the id of the request.
  public init?(reading text: String) throws(MessageError) {
    let fields = try MessageFields(reading: text)
    switch fields.type {
    case WelcomeAnswer.type: self = .welcome(try WelcomeAnswer(fields))
    case JoinedAnswer.type: self = .joined(try JoinedAnswer(fields))
    case UpdatedAnswer.type: self = .updated(try UpdatedAnswer(fields))
    case RenewedAnswer.type: self = .tokenRenewed(try RenewedAnswer(fields))
    case LeftAnswer.type: self = .left(try LeftAnswer(fields))
    case PongAnswer.type: self = .pong(try PongAnswer(fields))
    case DiagnosisAnswer.type: self = .diagnosis(try DiagnosisAnswer(fields))
    case DeliveredAnswer.type: self = .delivered(try DeliveredAnswer(fields))
    case NoSuchUserAnswer.type: self = .noSuchUser(try NoSuchUserAnswer(fields))
    case PresenceAnswer.type: self = .presence(try PresenceAnswer(fields))
    case PreloadedAnswer.type: self = .preloaded(try PreloadedAnswer(fields))
    case MediaRelayAnswer.type: self = .mediaRelayed(try MediaRelayAnswer(fields))
    case FailureReport.type: self = .failed(try FailureReport(fields))
    case UserJoinedEvent.type: self = .userJoined(try UserJoinedEvent(fields))
    case UserLeftEvent.type: self = .userLeft(try UserLeftEvent(fields))
    case UserUpdatedEvent.type: self = .userUpdated(try UserUpdatedEvent(fields))
    case SpeakersEvent.type: self = .speakers(try SpeakersEvent(fields))
    case DataUpdatedEvent.type: self = .dataUpdated(try DataUpdatedEvent(fields))
    case TokenExpiryEvent.type: self = .tokenWillExpire(try TokenExpiryEvent(fields))
    case MoveEvent.type: self = .moveTo(try MoveEvent(fields))
    case MessageEvent.type: self = .message(try MessageEvent(fields))
    case MediaRelayEndedEvent.type: self = .mediaRelayEnded(try MediaRelayEndedEvent(fields))
    default: return nil
    }
  }

  /// Text of the message. Values beyond `MessageLimits` are written as they are, and the reader refuses them.
  public var text: String { content.text }

  private var content: any MessageContent {
    switch self {
    case .welcome(let content): content
    case .joined(let content): content
    case .updated(let content): content
    case .tokenRenewed(let content): content
    case .left(let content): content
    case .pong(let content): content
    case .diagnosis(let content): content
    case .delivered(let content): content
    case .noSuchUser(let content): content
    case .presence(let content): content
    case .preloaded(let content): content
    case .mediaRelayed(let content): content
    case .failed(let content): content
    case .userJoined(let content): content
    case .userLeft(let content): content
    case .userUpdated(let content): content
    case .speakers(let content): content
    case .dataUpdated(let content): content
    case .tokenWillExpire(let content): content
    case .moveTo(let content): content
    case .message(let content): content
    case .mediaRelayEnded(let content): content
    }
  }
}
