import CommandLineKit
import NetworkIO
import Platform

/// Hosts of `--advertise`, as addresses or names, and the addresses at which a relay listens.
struct AdvertisedHosts: Hashable, Sendable {
  private let texts: [String]
  private let listeners: [SocketAddress]

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

  /// Returns the addresses for clients: each host's with the port of the listener of its family. A name's addresses of
  /// a family without a listener are left out.
  ///
  /// The lookup of a name may take as long as the resolver does.
  ///
  /// - Throws: exit code 69 for a name without such an address.
  func resolve() throws(CommandFailure) -> [SocketAddress] {
    var addresses: [SocketAddress] = []
    for text in texts {
      let found = try Self.addresses(of: text).compactMap { address in
        listeners.first { $0.isIPv6 == address.isIPv6 }.map { address.withPort($0.port) }
      }
      guard !found.isEmpty else {
        throw CommandFailure(.unavailable, "\(text) has no address of a family that the relay listens at; add --listen")
      }
      addresses += found.filter { !addresses.contains($0) }
    }
    return addresses
  }

  private static func addresses(of text: String) throws(CommandFailure) -> [SocketAddress] {
    if let address = SocketAddress(host: text, port: 0) { return [address] }
    do {
      return try SocketAddress.all(ofHost: text)
    } catch {
      throw CommandFailure(.unavailable, "advertise: \(error)")
    }
  }

  /// Whether a text has the form of a name: labels of letters, digits and hyphens, and not digits alone.
  ///
  /// Source: RFC 1123, section 2.1.
  private static func isName(_ text: String) -> Bool {
    let point = UInt8(ascii: ".")
    let labels = text.utf8.split(separator: point, omittingEmptySubsequences: false)
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
    guard text.utf8.count <= 253, text.utf8.contains(where: { !isDigit($0) && $0 != point }) else { return false }
    return labels.allSatisfy { label in
      guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
      return (isDigit(first) || isLetter(first)) && (isDigit(last) || isLetter(last))
        && label.allSatisfy { isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "-") }
    }
  }
}
