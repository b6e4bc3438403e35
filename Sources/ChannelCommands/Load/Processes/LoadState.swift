import RelayClient

/// State of one process of a load.
struct LoadState {
  /// Whether users start or join.
  var isRamping = true
  /// Whether packets no longer count.
  var isOver = false
  var joinedCount = 0
  /// Packets that its publishers' packets should become at all listeners of the load.
  var expectedCount = 0
  /// Packets that its listeners have received.
  var receivedCount = 0
  /// Listeners of each channel that have joined.
  var listeners: [Int] = []
  /// Failures, each with the number of its users.
  var failures: [(error: ChannelError, count: Int)] = []
}
