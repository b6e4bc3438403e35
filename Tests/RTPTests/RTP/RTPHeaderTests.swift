import RTP
import Testing

@Suite(.timeLimit(.minutes(10))) struct RTPHeaderTests {
  /// V=2, no padding, no extension, no sources; M=1, PT=111; sequence 0x1234, timestamp 0x89ABCDEF, SSRC 0xDEADBEEF.
  static let bytes: [UInt8] = [0x80, 0xEF, 0x12, 0x34, 0x89, 0xAB, 0xCD, 0xEF, 0xDE, 0xAD, 0xBE, 0xEF]
  static let header = RTPHeader(
    marker: true, payloadType: 111, sequenceNumber: 0x1234, timestamp: 0x89AB_CDEF, ssrc: 0xDEAD_BEEF)

  @Test("fields are parsed at RFC 3550's positions, at any alignment", arguments: 0...3)
  func parses(shift: Int) throws {
    let shifted = [UInt8](repeating: 0xFF, count: shift) + Self.bytes
    try shifted.withUnsafeBytes { buffer in
      let header = try RTPHeader(parsing: UnsafeRawBufferPointer(rebasing: buffer[shift...]))
      #expect(header == Self.header)
    }
  }

  @Test("writing gives the bytes that were parsed, and no more", arguments: 0...3)
  func writes(shift: Int) throws {
    var buffer = [UInt8](repeating: 0x55, count: 20)
    try buffer.withUnsafeMutableBytes { bytes in
      let count = try Self.header.write(to: UnsafeMutableRawBufferPointer(rebasing: bytes[shift...]))
      #expect(count == 12)
    }
    #expect(Array(buffer[shift..<(shift + 12)]) == Self.bytes)
    #expect(buffer[(shift + 12)...].allSatisfy { $0 == 0x55 } && buffer[..<shift].allSatisfy { $0 == 0x55 })
  }

  @Test("every value of every field survives the round trip")
  func roundTrip() throws {
    for bit in 0..<32 {
      for payloadType in [0, 1, 64, 127] as [UInt8] {
        let header = RTPHeader(
          marker: bit % 2 == 0, payloadType: payloadType, sequenceNumber: 1 << (UInt16(bit) % 16),
          timestamp: 1 << UInt32(bit), ssrc: ~(1 << UInt32(bit)))
        var buffer = [UInt8](repeating: 0, count: 12)
        try buffer.withUnsafeMutableBytes { _ = try header.write(to: $0) }
        #expect(try buffer.withUnsafeBytes { try RTPHeader(parsing: $0) } == header)
      }
    }
  }

  @Test("fewer than twelve bytes are refused", arguments: 0..<12)
  func truncated(count: Int) {
    #expect(throws: RTPError.truncated) {
      try Self.bytes[..<count].withUnsafeBytes { _ = try RTPHeader(parsing: $0) }
    }
    #expect(throws: RTPError.bufferTooShort) {
      var buffer = [UInt8](repeating: 0, count: count)
      try buffer.withUnsafeMutableBytes { _ = try Self.header.write(to: $0) }
    }
  }

  @Test("other versions are refused", arguments: [0x00, 0x40, 0xC0] as [UInt8])
  func versions(first: UInt8) {
    #expect(throws: RTPError.version) {
      try ([first] + Self.bytes.dropFirst()).withUnsafeBytes { _ = try RTPHeader(parsing: $0) }
    }
  }

  @Test("a payload type of more than seven bits is not written")
  func payloadType() {
    var header = Self.header
    header.payloadType = 128
    #expect(throws: RTPError.payloadType) {
      var buffer = [UInt8](repeating: 0, count: 12)
      try buffer.withUnsafeMutableBytes { _ = try header.write(to: $0) }
    }
  }
}
