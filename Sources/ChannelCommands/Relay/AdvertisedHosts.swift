import CommandLineKit
import NetworkIO
import Platform

/// Hosts of `--advertise`, as addresses or names, and the addresses at which a relay listens.
struct AdvertisedHosts: Hashable, Sendable {
  /// Addresses that hosts have, and one sentence for each host without any.
  struct Lookup: Sendable {
    var addresses: [SocketAddress] = []
    var faults: [String] = []
  }

  private let texts: [String]
  private var listeners: [SocketAddress]

  /// Checks the hosts; no name is looked up.
  ///
  /// - Throws: exit code 64 or 78 for a host that is neither an address nor a name, or has no listener.
  init(_ hosts: [Setting<String>], listeners: [SocketAddress]) throws(CommandFailure) {
    texts = hosts.map(\.value)
    self.listeners = listeners
    for host in hosts {
      let place = host.place
      guard let address = SocketAddress(host: host.value, port: 0) else {
        guard Self.isName(host.value) else {
          throw place.failure("'\(host.value)' is not an address or a name; write it as 203.0.113.7 or calls.example")
        }
        continue
      }
      guard listeners.contains(where: { $0.isIPv6 == address.isIPv6 }) else {
        throw place.failure("\(host.value) has no \(place.naming("listen")) of its family; add one")
      }
    }
    if let host = hosts.first, listeners.contains(where: { $0.port == 0 }) {
      throw host.place.failure(
        "\(host.value) needs a port in \(host.place.naming("listen")); name one instead of 0")
    }
  }

  /// Whether no host is named.
  var isEmpty: Bool { texts.isEmpty }

  /// Whether an address can change, since a name stands for it.
  var hasNames: Bool { texts.contains { SocketAddress(host: $0, port: 0) == nil } }

  /// Returns the same hosts for a relay that listens at other addresses.
  func at(_ listeners: [SocketAddress]) -> AdvertisedHosts {
    var hosts = self
    hosts.listeners = listeners
    return hosts
  }

  /// Returns the addresses for clients: each host's with the port of the listener of its family. A name's addresses of
  /// a family without a listener are left out.
  ///
  /// The lookup of a name may take as long as the resolver does.
  func lookUp() -> Lookup {
    var known: [String: [SocketAddress]] = [:]
    return lookUp(&known)
  }

  /// Returns the addresses as `lookUp()`; a name that is not found keeps its known ones.
  func lookUp(_ known: inout [String: [SocketAddress]]) -> Lookup {
    var lookup = Lookup()
    for text in texts {
      do throws(NetworkError) {
        let address = SocketAddress(host: text, port: 0)
        known[text] = if let address { [address] } else { try SocketAddress.all(ofHost: text) }
      } catch {
        lookup.faults.append("\(error)")
      }
      let found = (known[text] ?? []).compactMap { address in
        listeners.first { $0.isIPv6 == address.isIPv6 }.map { address.withPort($0.port) }
      }
      if found.isEmpty, known[text] != nil {
        lookup.faults.append("\(text) has no address of a family that the relay listens at; add --listen")
      }
      lookup.addresses += found.filter { !lookup.addresses.contains($0) }
    }
    return lookup
  }

  /// Whether a text has the form of a name: labels of letters, digits, hyphens and underscores. The last one begins
  /// with a letter, as no address does.
  ///
  /// Source: RFC 1123, section 2.1; names of containers have underscores.
  private static func isName(_ text: String) -> Bool {
    var labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
    let isInner = { (byte: UInt8) in (0x30...0x39).contains(byte) || isLetter(byte) || byte == 0x2D || byte == 0x5F }
    return text.utf8.count <= 253 && labels.last?.first.map(isLetter) == true
      && labels.allSatisfy { (1...63).contains($0.count) && $0.first != 0x2D && $0.allSatisfy(isInner) }
  }
}
