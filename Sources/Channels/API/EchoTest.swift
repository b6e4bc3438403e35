/// An echo test that runs: a user that publishes in a channel, and one that hears it later.
struct EchoTest {
  /// Name of the channel.
  let channel: String
  /// The two users; empty while they are being made.
  var connections: [RtcConnection] = []
  /// Numbers of faults that the delegate has: both users may have the same one.
  var reportedCodes: Set<Int> = []
}
