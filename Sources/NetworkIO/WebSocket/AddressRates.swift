package import Platform

/// Rates of new connections per IPv4 address and per /64 network of IPv6.
///
/// The table has a capacity; at it, addresses without an entry share one limit.
package struct AddressRates: Sendable {
  private static let capacity = 65_536
  private let fresh: RateLimit
  private var shared: RateLimit
  private var limits: [AddressNetwork: RateLimit] = [:]

  /// Creates a table for a rate per second and a burst.
  package init(perSecond: Int, burst: Int) {
    fresh = RateLimit(perSecond: perSecond, burst: burst)
    shared = fresh
  }

  /// Returns whether one more connection from `address` is within the limit at `now`, and counts it if so.
  package mutating func allows(_ address: SocketAddress, at now: Int64) -> Bool {
    let network = AddressNetwork(of: address)
    if limits[network] == nil, limits.count >= Self.capacity { return shared.allows(at: now) }
    return limits[network, default: fresh].allows(at: now)
  }

  /// Removes the addresses that have been idle for long enough to start afresh.
  package mutating func removeIdle(at now: Int64) {
    limits = limits.filter { !$0.value.isIdle(at: now) }
  }

  /// Number of addresses in the table.
  package var count: Int { limits.count }
}
