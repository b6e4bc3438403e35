import CommandLineKit
import NetworkIO
import Platform

/// Addresses at which clients reach a relay's media ports, by its hosts of `--advertise`.
///
/// Thread: one.
struct OfferedAddresses {
  /// Present addresses; empty for those of the machine.
  private(set) var addresses: [SocketAddress] = []
  private var hosts: AdvertisedHosts
  /// Lookups of names; nil without names.
  private var watch: AdvertisedHostsWatch?
  /// Faults of the newest lookup, which have been reported.
  private var faults: [String] = []

  /// Looks all hosts up, and waits for that; nil if a signal ends the wait.
  ///
  /// - Throws: exit code 69 if no host has an address.
  init?(_ hosts: AdvertisedHosts, _ console: Console) throws(CommandFailure) {
    self.hosts = hosts
    watch = try Self.watch(hosts)
    var lookup = watch == nil ? hosts.lookUp() : nil
    let clock = SystemClock()
    while lookup == nil {
      guard InterruptHandler.pending == nil else { return nil }
      clock.wait(untilNanoseconds: clock.nowNanoseconds + 10_000_000)
      lookup = watch?.take()
    }
    guard let lookup, hosts.isEmpty || !lookup.addresses.isEmpty else {
      throw CommandFailure(.unavailable, lookup?.faults.first ?? "no host of --advertise has an address")
    }
    addresses = lookup.addresses
    report(lookup.faults, console)
  }

  /// Takes the result of a lookup.
  ///
  /// - Returns: Whether other addresses are to be offered.
  mutating func poll(_ console: Console) -> Bool {
    guard let lookup = watch?.take() else { return false }
    return take(lookup, console)
  }

  /// Uses other hosts. The machine's own addresses are those of the start: a restart alone begins or ends their use.
  ///
  /// - Returns: Whether other addresses are to be offered now; those of names follow.
  mutating func advertise(_ hosts: AdvertisedHosts, _ console: Console) -> Bool {
    guard hosts != self.hosts, !hosts.isEmpty, !self.hosts.isEmpty else { return false }
    do throws(CommandFailure) {
      watch = try Self.watch(hosts)
    } catch {
      console.log.error(error.sentence)
      return false
    }
    self.hosts = hosts
    faults = []
    return watch == nil && take(hosts.lookUp(), console)
  }

  private mutating func take(_ lookup: AdvertisedHosts.Lookup, _ console: Console) -> Bool {
    report(lookup.faults, console)
    // A resolver gives the addresses of a name in another order each time.
    guard !lookup.addresses.isEmpty, Set(lookup.addresses) != Set(addresses) else { return false }
    addresses = addresses.filter(lookup.addresses.contains) + lookup.addresses.filter { !addresses.contains($0) }
    console.log.info("media (UDP) is offered at \(addresses.map(\.description).joined(separator: ", ")) from now on")
    return true
  }

  private mutating func report(_ faults: [String], _ console: Console) {
    for fault in faults where !self.faults.contains(fault) {
      console.log.warning("\(fault); its known addresses stay")
    }
    self.faults = faults
  }

  private static func watch(_ hosts: AdvertisedHosts) throws(CommandFailure) -> AdvertisedHostsWatch? {
    guard hosts.hasNames else { return nil }
    do throws(ThreadError) {
      return try AdvertisedHostsWatch(hosts)
    } catch {
      throw CommandFailure(.unavailable, "\(error)")
    }
  }
}
