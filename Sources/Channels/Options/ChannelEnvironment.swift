import Glibc
package import NetworkIO

/// Everything that an engine has of the machine besides its clock: a network, random numbers, the calendar.
package struct ChannelEnvironment: Sendable {
  /// Makes the network of a session.
  package var makeNetwork: @Sendable (TLSVerification) throws(ChannelError) -> any ChannelNetwork
  /// Makes a generator of random numbers.
  package var makeRandom: @Sendable () -> any RandomNumberGenerator
  /// Seconds since 1970.
  package var unixSeconds: @Sendable () -> Int
  /// Whether the caller makes the pipeline's ticks and serves the sessions, so that the engine has no thread.
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
