import Glibc
public import Platform

extension SocketAddress {
  /// Creates the address that a text names: `HOST:PORT`, `[IPV6]:PORT`, or `:PORT` for any address of this machine.
  ///
  /// The lookup of a name may take as long as the resolver does.
  ///
  /// - Throws: `NetworkError` if the text has another form, or the host is unknown.
  public init(_ text: String) throws(NetworkError) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw NetworkError(.address, text)
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw NetworkError(.address, text)
    }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV | (host.isEmpty ? AI_PASSIVE : 0)
    if host.isEmpty { hints.ai_family = AF_INET }
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host.isEmpty ? nil : String(host), String(port), &hints, &found)
    guard code == 0, let first = found else {
      throw NetworkError(.unknownHost(String(cString: gai_strerror(code))), text)
    }
    defer { freeaddrinfo(found) }
    self.init(first.pointee)
  }

  /// Returns all addresses of a host, a name or digits, each once, with port 0.
  ///
  /// The lookup of a name may take as long as the resolver does.
  ///
  /// - Throws: `NetworkError` if the host is unknown.
  public static func all(ofHost host: String) throws(NetworkError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &found)
    guard code == 0 else { throw NetworkError(.unknownHost(String(cString: gai_strerror(code))), host) }
    defer { freeaddrinfo(found) }
    var addresses: [SocketAddress] = []
    var next = found
    while let entry = next?.pointee {
      next = entry.ai_next
      let address = SocketAddress(entry)
      if !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }
}
