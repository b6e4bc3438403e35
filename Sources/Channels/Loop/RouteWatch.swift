import Platform
import RelayClient

/// Watches which kind of network has the route to the relay.
struct RouteWatch {
  private let networkType: (@Sendable (SocketAddress) -> NetworkType)?
  private var known = NetworkType.unknown
  /// Time of the next look, in nanoseconds.
  private var nextNanoseconds = Int.min

  private static let interval = 2_000_000_000

  init(_ networkType: (@Sendable (SocketAddress) -> NetworkType)?) { self.networkType = networkType }

  /// Looks at the route, every 2 s.
  ///
  /// - Returns: The kind of network, if it is another one than before.
  mutating func look(toward address: SocketAddress?, nowNanoseconds now: Int) -> NetworkType? {
    guard let networkType, let address, now >= nextNanoseconds else { return nil }
    nextNanoseconds = now + Self.interval
    let type = networkType(address)
    guard type != known else { return nil }
    known = type
    return type
  }
}
