import Platform

/// Requests of other threads to the relay's thread, and the answer to a question that they have.
struct RelayRequests: Sendable {
  var wantsStop = false
  var wantsDrain = false
  /// Settings to use from now on; nil if the present ones stay.
  var configuration: RelayConfiguration?
  /// Other addresses for media; nil if the present ones stay.
  var mediaAddresses: [SocketAddress]?
  var statistics = RelayStatistics()
  /// Lines about users for another thread, so that the relay's thread writes to no file.
  var userLog = UserLog()
}
