/// Requests of other threads to the relay's thread, and the answer to a question that they have.
struct RelayRequests: Sendable {
  var wantsStop = false
  var wantsDrain = false
  var statistics = RelayStatistics()
}
