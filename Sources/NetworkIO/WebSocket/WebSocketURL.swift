/// URL of a WebSocket: `ws://` or `wss://`, host, port, path and query.
///
/// The description omits the query, since queries may hold secrets.
///
/// Source: RFC 6455, section 3.
public struct WebSocketURL: Hashable, Sendable, CustomStringConvertible {
  /// Whether the scheme is `wss`.
  public let hasTLS: Bool
  /// Name or numeric address, without brackets.
  public let host: String
  /// Port; 80 or 443 if the URL omits it.
  public let port: UInt16
  /// Path with the query, beginning with `/`.
  let target: String

  /// Reads a URL.
  ///
  /// - Throws: `WebSocketError` for another scheme, a user, a fragment, or characters that URLs do not have.
  public init(_ text: String) throws(WebSocketError) {
    let shown = String(text.prefix { $0 != "?" && $0 != "#" }.split(separator: "@").last ?? "")
    let error = WebSocketError(.url, shown)
    // Visible ASCII only: a space or a line's end would add to the request's headers.
    guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("#"),
      let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://")
    else { throw error }
    switch text[..<colon].lowercased() {
    case "ws": hasTLS = false
    case "wss": hasTLS = true
    default: throw error
    }
    let rest = text[text.index(colon, offsetBy: 3)...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    var host = rest[..<end]
    target = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/" + rest[end...]
    var port: UInt16? = hasTLS ? 443 : 80
    if let mark = host.lastIndex(of: ":"), !host[mark...].contains("]") {
      let digits = host[host.index(after: mark)...]
      port = digits.first?.isNumber == true ? UInt16(digits) : nil
      host = host[..<mark]
    }
    let isNumericIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
    if isNumericIPv6 { host = host.dropFirst().dropLast() }
    let isAllowed = host.utf8.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return character.isLetter || character.isNumber || ".-_".contains(character) || (isNumericIPv6 && byte == 0x3A)
    }
    guard let port, port > 0, !host.isEmpty, host.utf8.count <= 253, isAllowed else { throw error }
    self.host = String(host)
    self.port = port
  }

  /// Host and port; brackets enclose an IPv6 address.
  var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  public var description: String { (hasTLS ? "wss://" : "ws://") + authority + target.prefix { $0 != "?" } }
}
