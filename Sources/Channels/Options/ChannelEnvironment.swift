import Glibc
package import NetworkIO

/// Network, random numbers and calendar of an engine.
package struct ChannelEnvironment: Sendable {
  /// Makes the network of a session.
  package var makeNetwork: @Sendable (TLSVerification) throws(ChannelError) -> any ChannelNetwork
  /// Makes a generator of random numbers.
  package var makeRandom: @Sendable () -> any RandomNumberGenerator
  /// Seconds since 1970.
  package var unixSeconds: @Sendable () -> Int
  /// Whether the caller makes the ticks of the pipeline and serves the sessions, in place of a thread.
  package var isStepped: Bool

  /// Creates an environment from its parts; unless given, those of the machine.
  package init(
    makeNetwork: @escaping @Sendable (TLSVerification) throws(ChannelError) -> any ChannelNetwork = {
      verification throws(ChannelError) in try SocketNetwork(verification)
    },
    makeRandom: @escaping @Sendable () -> any RandomNumberGenerator = { SystemRandomNumberGenerator() },
    unixSeconds: @escaping @Sendable () -> Int = { time(nil) }, isStepped: Bool = false
  ) {
    self.makeNetwork = makeNetwork
    self.makeRandom = makeRandom
    self.unixSeconds = unixSeconds
    self.isStepped = isStepped
  }
}
