/// State of the calls of a user, with the numbers of a commercial call interface.
public enum CallState: Int, Hashable, Sendable, CaseIterable {
  /// Not prepared yet, or deinitialized.
  case idle = 0
  /// Ready to call and to be called.
  case prepared = 1
  /// A call rings, here or at the other user.
  case calling = 2
  /// A call was accepted, and the other user is not heard yet.
  case connecting = 3
  /// The users hear each other.
  case connected = 4
  /// The preparation has failed.
  case failed = 10
}
