import NetworkIO
package import Platform

/// Kind of network on the route to the relay. The numbers are those of commercial voice SDKs.
///
/// Mobile networks have the numbers 3 to 6 there, by their generation, which the kernel does not know: here each is 5.
public enum NetworkType: Int, Hashable, Sendable, CaseIterable {
  /// Not known yet.
  case unknown = -1
  /// The relay has no route from here.
  case disconnected = 0
  /// A cable, or this machine itself.
  case lan = 1
  /// A wireless local network.
  case wifi = 2
  /// A mobile network.
  case mobile = 5

  /// Network of the route to an address.
  package init(toward address: SocketAddress) {
    self =
      switch NetworkInterface(toward: address)?.medium {
      case nil: .disconnected
      case .wired: .lan
      case .wireless: .wifi
      case .mobile: .mobile
      }
  }
}
