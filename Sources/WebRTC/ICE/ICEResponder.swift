internal import Platform

/// Checks the requests that an agent receives, and writes the responses. It decides nothing about addresses and roles.
///
/// It allocates nothing but the hash's state, in OpenSSL.
///
/// Source: RFC 8445, section 7.3; RFC 8489, sections 6.3.1 and 9.1.3.
struct ICEResponder: ~Copyable, Sendable {
  private let fragment: [UInt8]
  private var key: STUNIntegrityKey

  /// Creates the responder of an agent with these credentials.
  init(_ credentials: ICECredentials) {
    fragment = Array(credentials.fragment.utf8)
    key = STUNIntegrityKey(password: credentials.password)
  }

  /// Returns whether a message is a binding request for this agent under its password.
  mutating func isAuthentic(_ message: borrowing STUNMessageReader) -> Bool {
    guard message.messageClass == .request, message.method == STUNMessageReader.bindingMethod,
      let receiver = message.receiverFragment, receiver.hasBytes(of: fragment.span)
    else { return false }
    return message.hasIntegrity(of: &key)
  }

  /// Returns the error of an authentic request; nil for a request without one.
  func fault(of message: borrowing STUNMessageReader) -> STUNErrorCode? {
    if message.unknownRequiredAttribute() != nil { return .unknownAttribute }
    return message.isSoundCheck ? nil : .badRequest
  }

  /// Writes a success response.
  ///
  /// - Returns: Number of bytes; 0 if the memory is too short.
  mutating func accept(
    _ message: borrowing STUNMessageReader, from source: SocketAddress, into memory: UnsafeMutableRawBufferPointer
  ) -> Int {
    do throws(STUNError) {
      var writer = try STUNMessageWriter(.success, transactionID: message.transactionID, into: memory)
      try writer.append(mappedAddress: source)
      try writer.appendIntegrity(&key)
      try writer.appendFingerprint()
      return writer.byteCount
    } catch { return 0 }
  }

  /// Writes an error response.
  ///
  /// - Returns: Number of bytes; 0 if the memory is too short.
  mutating func refuse(
    _ message: borrowing STUNMessageReader, _ code: STUNErrorCode, into memory: UnsafeMutableRawBufferPointer
  ) -> Int {
    do throws(STUNError) {
      var writer = try STUNMessageWriter(.error, transactionID: message.transactionID, into: memory)
      try writer.append(code)
      if code == .unknownAttribute { try writer.appendUnknownAttributes(of: message) }
      try writer.appendIntegrity(&key)
      try writer.appendFingerprint()
      return writer.byteCount
    } catch { return 0 }
  }
}
