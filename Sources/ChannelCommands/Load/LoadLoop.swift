import CommandLineKit
import Platform
import RelayClient
import RelayLoad

/// The users of a load, with the network that serves them.
protocol LoadLoop: AnyObject {
  var clock: any EngineClock { get }
  var users: LoadUsers { get }
  /// Datagrams that the sockets of this process had no room for.
  var droppedCount: Int { get }
  /// First failure of signalling; nil if there is none.
  var failure: CommandFailure? { get }
  /// Waits for news or the next work, at most until a time in nanoseconds, and does it.
  func turn(until end: Int)
  /// Ends everything at once.
  func stop()
}
