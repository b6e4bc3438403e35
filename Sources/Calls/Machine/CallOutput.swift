/// Work and news of a `CallMachine`, in their order.
enum CallOutput: Hashable, Sendable {
  /// Send a message; the outcome goes to `sent`.
  case send(number: Int, text: String, to: UInt32, expiry: Duration)
  /// Connect a room ahead of its join; for a preparation, the outcome goes to `prepared`.
  case preload(preparation: Int?, room: String, token: String)
  /// Join a room. Before the call is accepted, no microphone is open and nothing is heard.
  case join(attempt: Int, room: String, token: String, peer: UInt32, isAccepted: Bool)
  /// Open the microphone, and hear the room that is joined.
  case open(attempt: Int)
  /// Leave a room; `left` follows.
  case leave(attempt: Int)
  /// End the connection ahead to a room that another user has named.
  case release(room: String)
  /// Replace the token of the room.
  case renew(attempt: Int, token: String)
  /// Ask the application whether the room may be joined now; a yes goes to `mayJoin`.
  case askEarlyJoin(callID: String, info: [String: String])
  /// Another state.
  case state(CallState, CallStateReason, eventReason: String, info: [String: String])
  /// An event.
  case event(CallEvent, reason: String?)
  /// An error.
  case error(CallErrorEvent, CallError)
  /// The users hear each other.
  case connected(room: String, caller: UInt32, unixMilliseconds: Int64)
  /// A connected call has ended.
  case disconnected(room: String, hangupUser: UInt32, unixMilliseconds: Int64, durationMilliseconds: Int64)
  /// A line for logs.
  case debug(String, CallLogLevel)
  /// Complete a call of the application; nil: without an error.
  case complete(Int, CallError?)
  /// Nothing follows: the calls are deinitialized, and no message is under way.
  case over
}
