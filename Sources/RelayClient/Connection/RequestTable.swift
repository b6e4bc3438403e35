/// Ids of requests, and the requests that wait for an answer.
struct RequestTable {
  /// Id of `hello` or `join` of the present attempt.
  var attempt: UInt32 = 0
  /// Other requests that wait.
  var pending: [UInt32: PendingRequest] = [:]
  private var next: UInt32 = 1

  mutating func makeID() -> UInt32 {
    defer { next = next == .max ? 1 : next + 1 }
    return next
  }
}
