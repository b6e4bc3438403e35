/// Keeps the records of a datagram that can belong to a handshake or its end, before OpenSSL sees the datagram.
///
/// It drops application data, unknown types, other versions, later epochs and a length beyond the datagram's end.
/// OpenSSL keeps encrypted records that come before their keys, each in 17 KB; the filter limits their number.
///
/// Source: RFC 6347, section 4.1.
struct DTLSRecordFilter {
  /// Bytes of a record's header.
  static let headerByteCount = 13
  /// Longest datagram; OpenSSL's buffer has about as many bytes.
  static let maximumByteCount = 16_384
  /// Encrypted records until the handshake is finished. The Finished message is one, and repeats a few times.
  static let earlyRecordCount = 16

  /// Records that were dropped; a datagram without a complete header counts as one.
  private(set) var ignoredCount = 0
  private var earlyCount = 0

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
    var rest = datagram[...]
    while !rest.isEmpty {
      guard let byteCount = Self.byteCount(rest) else {
        ignoredCount += 1
        break
      }
      let record = rest.prefix(byteCount)
      if accepts(record, isFinished: isFinished) { kept += record } else { ignoredCount += 1 }
      rest = rest.dropFirst(byteCount)
    }
    return kept
  }

  private mutating func accepts(_ record: Slice<UnsafeRawBufferPointer>, isFinished: Bool) -> Bool {
    let start = record.startIndex
    // Change of the cipher, alert, handshake.
    guard (20...22).contains(record[start]) else { return false }
    // DTLS 1.2, and 1.0 in the first message.
    guard record[start + 1] == 0xFE, record[start + 2] == 0xFD || record[start + 2] == 0xFF else { return false }
    guard record[start + 3] == 0 else { return false }
    switch record[start + 4] {
    case 0: return true
    case 1:
      if isFinished { return true }
      earlyCount += 1
      return earlyCount <= Self.earlyRecordCount
    default: return false
    }
  }

  /// Returns the bytes of the first record with its header; nil if it does not end within the datagram.
  private static func byteCount(_ rest: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard rest.count >= headerByteCount else { return nil }
    let start = rest.startIndex
    let byteCount = headerByteCount + (Int(rest[start + 11]) << 8 | Int(rest[start + 12]))
    return byteCount <= rest.count ? byteCount : nil
  }
}
