import Glibc
package import Platform

/// Rates of new connections per IPv4 address and per /64 network of IPv6.
///
/// The table has a capacity; at it, addresses without an entry share one limit.
package struct AddressRates: Sendable {
  private struct Network: Hashable {
    let isIPv6: Bool
    let prefix: UInt64
  }

  private static let capacity = 65_536
  private let fresh: RateLimit
  private var shared: RateLimit
  private var limits: [Network: RateLimit] = [:]

  /// Creates a table for a rate per second and a burst.
  package init(perSecond: Int, burst: Int) {
    fresh = RateLimit(perSecond: perSecond, burst: burst)
    shared = fresh
  }

  /// Returns whether one more connection from `address` is within the limit at `now`, and counts it if so.
  package mutating func allows(_ address: SocketAddress, at now: Int64) -> Bool {
    let network = Self.network(of: address)
    if limits[network] == nil, limits.count >= Self.capacity { return shared.allows(at: now) }
    return limits[network, default: fresh].allows(at: now)
  }

  /// Removes the addresses that have been idle for long enough to start afresh.
  package mutating func removeIdle(at now: Int64) {
    limits = limits.filter { !$0.value.isIdle(at: now) }
  }

  /// Number of addresses in the table.
  package var count: Int { limits.count }

  private static func network(of address: SocketAddress) -> Network {
    let address = address.unmapped
    let range = address.isIPv6 ? 8..<16 : 4..<8
    return address.withSystemAddress { start, length in
      // SAFETY: the system's address has `length` bytes.
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(length))
      guard range.upperBound <= bytes.count else { return Network(isIPv6: false, prefix: 0) }
      return Network(isIPv6: address.isIPv6, prefix: bytes[range].reduce(0) { $0 << 8 | UInt64($1) })
    }
  }
}
