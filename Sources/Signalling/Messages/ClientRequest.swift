/// Request that a relay reads: a `ClientMessage`, or one that stands beside it. The text is read once.
package enum ClientRequest: Hashable, Sendable {
  /// Message that every version of a client may send.
  case message(ClientMessage)
  /// Request to learn whether a user is online.
  case presence(PresenceRequest)

  /// Reads a request.
  ///
  /// - Returns: Nil for a type that this version does not have; such a message is ignored.
  /// - Throws: The first fault, with its field and the id of the request.
  package init?(reading text: String) throws(MessageError) {
    let fields = try MessageFields(reading: text)
    if fields.type == PresenceRequest.type {
      self = .presence(try PresenceRequest(fields))
      return
    }
    guard let message = try ClientMessage(fields) else { return nil }
    self = .message(message)
  }

  /// Id of the request, which its answer repeats.
  package var id: UInt32 {
    switch self {
    case .message(let message): message.id
    case .presence(let request): request.id
    }
  }
}
