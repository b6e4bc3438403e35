import Platform

/// URL of a broker: `mqtt://` or `mqtts://`, host and port.
struct BrokerURL: Hashable, Sendable, CustomStringConvertible {
  /// Whether the scheme is `mqtts`.
  let hasTLS: Bool
  /// Name or numeric address, without brackets.
  let host: String
  let port: UInt16

  /// Reads a URL.
  ///
  /// - Throws: An `EngineError` for another scheme, a user, a path, or a host or port that cannot be one.
  init(_ text: String) throws(EngineError) {
    // A user before the host may come with a password.
    let shown = text.utf8.count <= 300 ? String(reflecting: text.split(separator: "@").last ?? "") : "(too long)"
    let error = EngineError(
      .invalidArgument,
      "\(shown) is not the URL of a broker; use mqtt://HOST:PORT or mqtts://HOST:PORT, such as mqtts://broker.example:8883"
    )
    guard text.utf8.count <= 300, let mark = text.firstRange(of: "://") else { throw error }
    switch text[..<mark.lowerBound].lowercased() {
    case "mqtt": hasTLS = false
    case "mqtts": hasTLS = true
    default: throw error
    }
    var host = text[mark.upperBound...]
    if host.hasSuffix("/") { host.removeLast() }
    var port: UInt16? = hasTLS ? 8_883 : 1_883
    if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
      let digits = host[host.index(after: colon)...]
      port = digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(digits) : nil
      host = host[..<colon]
    }
    let isNumericIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
    if isNumericIPv6 { host = host.dropFirst().dropLast() }
    let isAllowed = host.utf8.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return byte < 0x80
        && (character.isLetter || character.isNumber || ".-_".contains(character) || (isNumericIPv6 && byte == 0x3A))
    }
    guard let port, port > 0, !host.isEmpty, host.utf8.count <= 253, isAllowed else { throw error }
    self.host = String(host)
    self.port = port
  }

  var description: String {
    (hasTLS ? "mqtts://" : "mqtt://") + (host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
  }
}
