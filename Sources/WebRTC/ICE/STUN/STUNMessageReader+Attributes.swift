public import Platform

/// Values of the attributes of connectivity checks; nil for a missing attribute and for one of another size.
///
/// Source: RFC 8489, section 14; RFC 8445, section 16.1.
extension STUNMessageReader {
  /// Names of the receiver and the sender with a colon between them; nil without USERNAME.
  public var username: Span<UInt8>? {
    @_lifetime(copy self)
    get {
      guard let attribute = attribute(.username) else { return nil }
      return value(of: attribute)
    }
  }

  /// Fragment of the receiver's name: the part of USERNAME before the colon. With it a relay finds the session.
  public var receiverFragment: Span<UInt8>? {
    @_lifetime(copy self)
    get {
      guard let attribute = attribute(.username) else { return nil }
      let name = value(of: attribute)
      for index in 0..<name.count where name[index] == UInt8(ascii: ":") { return name.extracting(0..<index) }
      return nil
    }
  }

  /// Priority of the candidate that the check would yield.
  public var priority: UInt32? { number(.priority, byteCount: 4).map { UInt32(truncatingIfNeeded: $0) } }

  /// Whether the check nominates its candidate pair.
  public var usesCandidate: Bool { attribute(.useCandidate) != nil }

  /// Tie-breaker of a sender in the controlling role.
  public var iceControlling: UInt64? { number(.iceControlling, byteCount: 8) }

  /// Tie-breaker of a sender in the controlled role.
  public var iceControlled: UInt64? { number(.iceControlled, byteCount: 8) }

  /// Code of an error response, 300...699.
  public var errorCode: Int? {
    guard let attribute = attribute(.errorCode), attribute.byteCount >= 4 else { return nil }
    let hundreds = Int(bytes[attribute.offset + 2] & 7)
    let rest = Int(bytes[attribute.offset + 3])
    return (3...6).contains(hundreds) && rest < 100 ? hundreds * 100 + rest : nil
  }

  /// The request's source as its receiver saw it.
  public var mappedAddress: SocketAddress? {
    guard let attribute = attribute(.xorMappedAddress) else { return nil }
    return SocketAddress(xorMapped: value(of: attribute), transactionID: transactionID)
  }

  /// Returns the next attribute that the message requires its receiver to know, and that this module does not know.
  public func unknownRequiredAttribute(after previous: STUNAttribute? = nil) -> STUNAttribute? {
    var next = attribute(after: previous)
    while let attribute = next, attribute.type.isKnown || !attribute.type.isComprehensionRequired {
      next = self.attribute(after: attribute)
    }
    return next
  }

  /// Whether the attributes of a check have their sizes, and it claims at most one role.
  var isSoundCheck: Bool {
    func isSound(_ type: STUNAttributeType, byteCount: Int) -> Bool {
      attribute(type).map { $0.byteCount == byteCount } ?? true
    }
    return isSound(.priority, byteCount: 4) && isSound(.useCandidate, byteCount: 0)
      && isSound(.iceControlling, byteCount: 8) && isSound(.iceControlled, byteCount: 8)
      && (attribute(.iceControlling) == nil || attribute(.iceControlled) == nil)
  }

  private func number(_ type: STUNAttributeType, byteCount: Int) -> UInt64? {
    guard let attribute = attribute(type), attribute.byteCount == byteCount else { return nil }
    return byteCount == 4 ? UInt64(bytes.number32(at: attribute.offset)) : bytes.number64(at: attribute.offset)
  }
}
