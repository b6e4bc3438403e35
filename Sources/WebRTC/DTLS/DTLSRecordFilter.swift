/// Keeps the records of a datagram that can belong to a handshake or its end, before OpenSSL sees the datagram.
///
/// It drops application data, unknown types, other versions, later epochs and a length beyond the datagram's end. Of
/// records in the clear, it also checks the content's form. OpenSSL ends a handshake at the first message that it
/// cannot read, and it reserves memory for the length that a fragment claims.
///
/// OpenSSL keeps encrypted records that come before their keys, each in 17 KB; the filter limits their number.
///
/// Source: RFC 6347, sections 4.1 and 4.2.2.
struct DTLSRecordFilter {
  /// Longest datagram; OpenSSL's buffer has about as many bytes.
  static let maximumByteCount = 16_384
  /// Bytes of a record's header.
  private static let headerByteCount = 13
  /// Bytes of the header of a handshake message's fragment.
  private static let fragmentHeaderByteCount = 12
  /// Encrypted records until the handshake is finished. The Finished message is one, and repeats a few times.
  private static let earlyRecordCount = 16
  /// Bytes of an empty encrypted record: 8 of the nonce, 16 of the tag (RFC 5288, section 3). OpenSSL ends a connection
  /// when a record is shorter, though nothing authenticates the record.
  static let encryptionByteCount = 24
  /// Longest message; a chain of certificates is the longest.
  private static let maximumMessageByteCount = 16_384

  /// Records that were dropped; the rest of a datagram without a complete record counts as one.
  private(set) var ignoredCount = 0
  private let role: DTLSRole
  private var earlyCount = 0
  /// Number of the ServerHello: 1 behind a HelloVerifyRequest, else 0. nil before the first of the two.
  private var firstNumber: Int?

  /// Creates a filter for the end with this role.
  init(_ role: DTLSRole) { self.role = role }

  /// Returns the records to keep, in their order.
  ///
  /// - Parameters:
  ///   - datagram: bytes from the network, of any content.
  ///   - isFinished: whether the handshake is finished.
  mutating func kept(_ datagram: UnsafeRawBufferPointer, isFinished: Bool) -> [UInt8] {
    guard datagram.count <= Self.maximumByteCount else {
      ignoredCount += 1
      return []
    }
    var kept: [UInt8] = []
    var rest = datagram
    while !rest.isEmpty {
      guard let byteCount = Self.byteCount(rest) else {
        ignoredCount += 1
        break
      }
      let record = Self.slice(rest, 0..<byteCount)
      if accepts(record, isFinished: isFinished) { kept += record } else { ignoredCount += 1 }
      rest = Self.slice(rest, byteCount..<rest.count)
    }
    return kept
  }

  private mutating func accepts(_ record: UnsafeRawBufferPointer, isFinished: Bool) -> Bool {
    // DTLS 1.2, and 1.0 in the first message.
    guard record[1] == 0xFE, record[2] == 0xFD || record[2] == 0xFF, record[3] == 0 else { return false }
    let content = Self.slice(record, Self.headerByteCount..<record.count)
    switch (record[4], record[0]) {
    // Change of the cipher.
    case (0, 20): return content.count == 1 && content[0] == 1
    // An alert: a warning or a fatal one.
    case (0, 21): return content.count == 2 && (1...2).contains(content[0])
    case (0, 22): return areFragments(content)
    case (1, 20...22):
      guard content.count > Self.encryptionByteCount else { return false }
      if isFinished { return true }
      earlyCount += 1
      return earlyCount <= Self.earlyRecordCount
    default: return false
    }
  }

  /// Returns whether a record in the clear has complete fragments of messages that the peer's role sends.
  private mutating func areFragments(_ content: UnsafeRawBufferPointer) -> Bool {
    guard !content.isEmpty else { return false }
    var rest = content
    while !rest.isEmpty {
      guard rest.count >= Self.fragmentHeaderByteCount, isExpected(rest[0], number: Int(rest[4]) << 8 | Int(rest[5]))
      else { return false }
      let byteCount = Self.number24(rest, 1)
      let (offset, fragmentByteCount) = (Self.number24(rest, 6), Self.number24(rest, 9))
      guard byteCount <= Self.maximumMessageByteCount, offset + fragmentByteCount <= byteCount,
        Self.fragmentHeaderByteCount + fragmentByteCount <= rest.count
      else { return false }
      rest = Self.slice(rest, (Self.fragmentHeaderByteCount + fragmentByteCount)..<rest.count)
    }
    return true
  }

  /// Returns whether the peer's role sends a message of this type as its message of this number.
  ///
  /// The order is fixed, since tickets are not used, and a server always demands a certificate. OpenSSL would keep a
  /// message of a false number, and ignore the genuine one.
  ///
  /// Source: RFC 5246, section 7.3; RFC 6347, section 4.2.1.
  private mutating func isExpected(_ type: UInt8, number: Int) -> Bool {
    switch (role, type) {
    // HelloVerifyRequest.
    case (.client, 3):
      if firstNumber == nil, number == 0 { firstNumber = 1 }
      return firstNumber == 1 && number == 0
    // ServerHello.
    case (.client, 2):
      if firstNumber == nil, number == 0 { firstNumber = 0 }
      return number == firstNumber
    // Certificate, ServerKeyExchange, CertificateRequest, ServerHelloDone. A server may do without the request.
    case (.client, 11): return number == (firstNumber ?? 0) + 1
    case (.client, 12): return number == (firstNumber ?? 0) + 2
    case (.client, 13): return number == (firstNumber ?? 0) + 3
    case (.client, 14): return ((firstNumber ?? 0) + 3...(firstNumber ?? 0) + 4).contains(number)
    // ClientHello, Certificate, ClientKeyExchange, CertificateVerify.
    case (.server, 1): return number == 0
    case (.server, 11): return number == 1
    case (.server, 16): return number == 2
    case (.server, 15): return number == 3
    default: return false
    }
  }

  /// Returns the bytes of the first record with its header; nil if it does not end within the datagram.
  private static func byteCount(_ rest: UnsafeRawBufferPointer) -> Int? {
    guard rest.count >= headerByteCount else { return nil }
    let byteCount = headerByteCount + (Int(rest[11]) << 8 | Int(rest[12]))
    return byteCount <= rest.count ? byteCount : nil
  }

  private static func number24(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    Int(bytes[offset]) << 16 | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2])
  }

  /// Returns a part of the bytes; the caller has checked that it lies within them.
  private static func slice(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range])
  }
}
