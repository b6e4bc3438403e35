public import Platform

/// Writes a STUN binding message into the caller's memory.
///
///     var writer = try STUNMessageWriter(.success, transactionID: request.transactionID, into: memory)
///     try writer.append(mappedAddress: source)
///     try writer.appendIntegrity(&key)
///     try writer.appendFingerprint()
///     let message = memory[..<writer.byteCount]
///
/// It borrows the memory, which must outlive it, and allocates nothing. An attribute that does not fit is not begun.
///
/// Source: RFC 8489, sections 5 and 14.
public struct STUNMessageWriter {
  private let memory: UnsafeMutableRawBufferPointer
  private let transactionID: STUNTransactionID
  /// Size of the message so far, in bytes.
  public private(set) var byteCount = STUNMessageReader.headerByteCount

  /// Writes the header.
  ///
  /// - Throws: `bufferTooShort`, as do all methods.
  public init(
    _ messageClass: STUNMessageClass, transactionID: STUNTransactionID, into memory: UnsafeMutableRawBufferPointer
  ) throws(STUNError) {
    guard memory.count >= STUNMessageReader.headerByteCount else { throw .bufferTooShort }
    self.memory = memory
    self.transactionID = transactionID
    store(messageClass.bindingType, at: 0)
    store(UInt16(0), at: 2)
    store(STUNMessageReader.cookie, at: 4)
    store(transactionID.high, at: 8)
    store(transactionID.low, at: 12)
  }

  /// Adds USERNAME.
  public mutating func append(username: Span<UInt8>) throws(STUNError) { try append(.username, username) }

  /// Adds PRIORITY.
  public mutating func append(priority: UInt32) throws(STUNError) {
    store(priority, at: try begin(.priority, byteCount: 4))
  }

  /// Adds ICE-CONTROLLING.
  public mutating func append(iceControlling tieBreaker: UInt64) throws(STUNError) {
    store(tieBreaker, at: try begin(.iceControlling, byteCount: 8))
  }

  /// Adds ICE-CONTROLLED.
  public mutating func append(iceControlled tieBreaker: UInt64) throws(STUNError) {
    store(tieBreaker, at: try begin(.iceControlled, byteCount: 8))
  }

  /// Adds USE-CANDIDATE.
  public mutating func appendUseCandidate() throws(STUNError) { _ = try begin(.useCandidate, byteCount: 0) }

  /// Adds XOR-MAPPED-ADDRESS. An IPv4 address in IPv6 notation is written as IPv4.
  public mutating func append(mappedAddress: SocketAddress) throws(STUNError) {
    var value = InlineArray<20, UInt8>(repeating: 0)
    let count = mappedAddress.unmapped.writeXORMapped(transactionID: transactionID, into: &value)
    try append(.xorMappedAddress, value.span.extracting(0..<count))
  }

  /// Adds ERROR-CODE with its text.
  public mutating func append(_ code: STUNErrorCode) throws(STUNError) {
    let offset = try begin(.errorCode, byteCount: 4 + code.reason.utf8CodeUnitCount)
    store(UInt16(0), at: offset)
    memory[offset + 2] = UInt8(code.rawValue / 100)
    memory[offset + 3] = UInt8(code.rawValue % 100)
    for index in 0..<code.reason.utf8CodeUnitCount { memory[offset + 4 + index] = code.reason.utf8Start[index] }
  }

  /// Adds UNKNOWN-ATTRIBUTES: the types in a request that its receiver must know and does not, at most 8.
  public mutating func appendUnknownAttributes(of request: borrowing STUNMessageReader) throws(STUNError) {
    var types = InlineArray<16, UInt8>(repeating: 0)
    var count = 0
    var next = request.unknownRequiredAttribute()
    while let attribute = next, count < types.count {
      types[count] = UInt8(attribute.type.rawValue >> 8)
      types[count + 1] = UInt8(attribute.type.rawValue & 0xFF)
      count += 2
      next = request.unknownRequiredAttribute(after: attribute)
    }
    try append(.unknownAttributes, types.span.extracting(0..<count))
  }

  /// Adds MESSAGE-INTEGRITY; only the fingerprint may follow.
  public mutating func appendIntegrity(_ key: inout STUNIntegrityKey) throws(STUNError) {
    let count = byteCount
    var code = STUNIntegrityKey.Code(repeating: 0)
    let offset = try begin(.messageIntegrity, byteCount: 20)
    key.writeCode(of: written, count: count, into: &code)
    for index in code.indices { memory[offset + index] = code[index] }
  }

  /// Adds FINGERPRINT, the last attribute.
  public mutating func appendFingerprint() throws(STUNError) {
    let count = byteCount
    let offset = try begin(.fingerprint, byteCount: 4)
    store(CRC32.checksum(written, count: count) ^ STUNMessageReader.fingerprintMask, at: offset)
  }

  private mutating func append(_ type: STUNAttributeType, _ value: Span<UInt8>) throws(STUNError) {
    let offset = try begin(type, byteCount: value.count)
    for index in 0..<value.count { memory[offset + index] = value[index] }
  }

  /// Writes the header and the padding of an attribute and counts it in the message's length.
  ///
  /// - Returns: Offset of the value.
  private mutating func begin(_ type: STUNAttributeType, byteCount count: Int) throws(STUNError) -> Int {
    let offset = byteCount + 4
    let end = offset + (count + 3) / 4 * 4
    guard end <= memory.count, end - STUNMessageReader.headerByteCount <= 0xFFFC else { throw .bufferTooShort }
    store(type.rawValue, at: byteCount)
    store(UInt16(count), at: byteCount + 2)
    for index in (offset + count)..<end { memory[index] = 0 }
    byteCount = end
    store(UInt16(end - STUNMessageReader.headerByteCount), at: 2)
    return offset
  }

  // SAFETY: the bytes have been written, and the memory outlives the writer.
  private var written: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let bytes = UnsafeRawBufferPointer(memory).prefix(byteCount)
      let start = UnsafeRawBufferPointer(rebasing: bytes).bindMemory(to: UInt8.self)
      return _overrideLifetime(Span(_unsafeElements: start), borrowing: self)
    }
  }

  private func store(_ value: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
    memory.storeBytes(of: value.bigEndian, toByteOffset: offset, as: type(of: value).self)
  }
}
