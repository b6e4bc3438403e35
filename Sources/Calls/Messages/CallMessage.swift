/// Message of one user about a call to another. Its sender is that of the channel.
struct CallMessage: Hashable, Sendable {
  /// Version of the messages.
  static let version = 1
  /// Longest message, in bytes of UTF-8.
  static let largestByteCount = 16_384
  /// Longest reason, in bytes of UTF-8.
  static let largestReasonByteCount = 256

  /// Call that the message belongs to.
  let callID: String
  /// Session of the sender: a user may have several.
  let device: String
  let body: Body

  enum Body: Hashable, Sendable {
    /// The caller rings.
    case call(Invitation)
    /// The caller rings no longer.
    case cancel(End)
    /// The callee accepts.
    case accept
    /// The callee does not accept.
    case reject(End)
    /// A user ends an accepted call.
    case hangup(End)
    /// The caller has connected the call with a session of the callee; it ends at all others.
    case taken(device: String)
  }

  /// Content of a call.
  struct Invitation: Hashable, Sendable {
    var room: String
    var type: CallType
    /// The caller's longest time of ringing, in ms; 0: its application ends it.
    var ringMilliseconds: Int
    var userExtension: String?
    var callExtension: String?
  }

  /// Content of an end.
  struct End: Hashable, Sendable {
    var cause: Cause
    var reason: String?

    init(_ cause: Cause, _ reason: String? = nil) {
      self.cause = cause
      self.reason = reason
    }
  }

  /// Cause of an end.
  enum Cause: String, Hashable, Sendable, CaseIterable {
    /// The user.
    case user
    /// The time of ringing or connecting has passed.
    case timeout
    /// The user has another call.
    case busy
    /// The user's session cannot take part.
    case failed
    /// Both users call each other, and the other call stays.
    case simultaneous
  }
}
