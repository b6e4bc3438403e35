import Platform

/// A datagram's source as a key of the table of routes: hashing it is the first work for every datagram.
struct RouteKey: Hashable {
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Creates the key of an address; IPv4 and its mapped form in IPv6 have one key.
  init(_ address: SocketAddress) {
    words = address.unmapped.withSystemAddress { pointer, byteCount in
      var words = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
      withUnsafeMutableBytes(of: &words) { target in
        let source = UnsafeRawBufferPointer(start: pointer, count: min(Int(byteCount), target.count))
        target.copyMemory(from: source)
      }
      return words
    }
  }

  static func == (first: RouteKey, second: RouteKey) -> Bool { first.words == second.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }
}
