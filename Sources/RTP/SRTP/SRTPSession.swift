/// Protects sent packets, or checks and decrypts received ones, under one master key, in the caller's memory.
///
/// A session is for one direction and for any number of sources. Two sessions must never protect packets of the same
/// source under the same key: the same source and number twice would break the cipher.
///
/// Thread: one at a time. Real-time: no; the library allocates for every new source. With OpenSSL, it allocates within
/// every packet, too: 5 times with AES-GCM, 14 times with AES-CM and SHA-1.
///
/// Source: RFC 3711, RFC 7714; libsrtp does the work.
public struct SRTPSession: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the library's session has this one owner, and only the owner's mutating methods reach
  // it.

  /// Direction of a session: to protect, or to decrypt.
  public enum Direction: Sendable {
    /// For sent packets.
    case outbound
    /// For received packets.
    case inbound
  }

  /// Alignment of the memory of packets, in bytes.
  public static let alignment = 4

  /// Suite that protects the packets.
  public let suite: SRTPSuite
  private let direction: Direction
  private let session: OpaquePointer
  private let key: SRTPKey
  private let replayWindow: Int
  private var search = RolloverCounterSearch()

  /// Creates a session with its own copy of a key.
  ///
  /// - Parameters:
  ///   - key: master key and salt.
  ///   - direction: direction of the packets.
  ///   - replayWindow: packets by which one may be out of order and still be distinguished from a duplicate,
  ///     1024...32767.
  /// - Throws: `library`.
  public init(_ key: borrowing SRTPKey, _ direction: Direction, replayWindow: Int = 1024) throws(SRTPError) {
    precondition((1024...32_767).contains(replayWindow), "a replay window has 1024 to 32767 packets")
    suite = key.suite
    self.direction = direction
    self.replayWindow = replayWindow
    self.key = key.copy()
    session = try SRTPLibrary.makeSession(
      key, isOutbound: direction == .outbound, replayWindow: replayWindow
    ).get()
  }

  deinit { SRTPLibrary.destroy(session) }

  /// Returns a number for the first packet of a source. It is below 32768, so that a receiver that misses the first
  /// packets does not take the first wrap for the beginning.
  public static func initialSequenceNumber(using generator: inout some RandomNumberGenerator) -> UInt16 {
    generator.next() & 0x7FFF
  }

  /// Encrypts an RTP packet and adds its tag; `memory` holds it and `suite.rtpOverhead` bytes more.
  ///
  /// - Returns: Bytes of the result.
  /// - Throws: `bufferTooShort`, `malformed`, `replay` for a number used before, `keyExhausted`.
  public mutating func protect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int) throws(SRTPError) -> Int {
    guard byteCount >= RTPHeader.byteCount else { throw .malformed }
    return try apply(.protectRTP, memory, byteCount: byteCount, resultByteCount: byteCount + suite.rtpOverhead)
  }

  /// Checks the tag of an RTP packet and decrypts it.
  ///
  /// - Returns: Bytes of the result.
  /// - Throws: `malformed`, `authentication`, `replay`; the caller counts and drops the packet, and its bytes mean
  ///   nothing then.
  public mutating func unprotect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int) throws(SRTPError) -> Int {
    guard byteCount >= RTPHeader.byteCount + suite.rtpOverhead else { throw .malformed }
    return try apply(.unprotectRTP, memory, byteCount: byteCount, resultByteCount: byteCount)
  }

  /// Checks the tag of an RTP packet and decrypts it into other memory. This includes a source that had wrapped before
  /// its first packet came here, which takes as many packets as wraps.
  ///
  /// - Returns: Bytes of the result.
  /// - Throws: The same errors as the decryption in place.
  public mutating func unprotect(
    _ packet: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer
  ) throws(SRTPError) -> Int {
    guard packet.count <= memory.count else { throw .bufferTooShort }
    memory.copyMemory(from: packet)
    do {
      return try unprotect(memory, byteCount: packet.count)
    } catch {
      guard case .authentication = error, let count = unprotectWrapped(packet, into: memory) else { throw error }
      return count
    }
  }

  /// Decrypts a packet with another count of wraps; nil if that fails too.
  private mutating func unprotectWrapped(
    _ packet: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer
  ) -> Int? {
    // A source with a decrypted packet counts its wraps itself.
    guard let source = (try? RTPPacketView(parsing: packet))?.header.ssrc, !SRTPLibrary.knows(source, in: session)
    else { return nil }
    SRTPLibrary.add(source, wraps: search.next(source), to: session, key, replayWindow: replayWindow)
    // The first attempt may have changed the memory.
    memory.copyMemory(from: packet)
    guard let count = try? unprotect(memory, byteCount: packet.count) else {
      // Otherwise the next packet would not be tried without wraps.
      SRTPLibrary.remove(source, from: session)
      return nil
    }
    search.take(source)
    return count
  }

  /// Encrypts a datagram of RTCP and adds its number and tag; `memory` holds it and `suite.rtcpOverhead` bytes more.
  ///
  /// - Returns: Bytes of the result.
  /// - Throws: `bufferTooShort`, `malformed`, `keyExhausted`.
  public mutating func protectRTCP(
    _ memory: UnsafeMutableRawBufferPointer, byteCount: Int
  ) throws(SRTPError) -> Int {
    guard byteCount >= 8 else { throw .malformed }
    return try apply(.protectRTCP, memory, byteCount: byteCount, resultByteCount: byteCount + suite.rtcpOverhead)
  }

  /// Checks the tag of a datagram of RTCP and decrypts it.
  ///
  /// - Returns: Bytes of the result.
  /// - Throws: `malformed`, `authentication`, `replay`; the caller counts and drops the datagram, and its bytes mean
  ///   nothing then.
  public mutating func unprotectRTCP(
    _ memory: UnsafeMutableRawBufferPointer, byteCount: Int
  ) throws(SRTPError) -> Int {
    guard byteCount >= 8 + suite.rtcpOverhead else { throw .malformed }
    return try apply(.unprotectRTCP, memory, byteCount: byteCount, resultByteCount: byteCount)
  }

  /// Frees the memory of a source that has ended. Its SSRC must never protect another packet in an outbound session: a
  /// number used twice would break the cipher.
  public mutating func forget(_ ssrc: UInt32) { SRTPLibrary.remove(ssrc, from: session) }

  private mutating func apply(
    _ operation: SRTPLibrary.Operation, _ memory: UnsafeMutableRawBufferPointer, byteCount: Int, resultByteCount: Int
  ) throws(SRTPError) -> Int {
    switch operation {
    case .protectRTP, .protectRTCP: precondition(direction == .outbound, "this session is for what is received")
    case .unprotectRTP, .unprotectRTCP: precondition(direction == .inbound, "this session is for what is sent")
    }
    guard resultByteCount <= memory.count, resultByteCount <= 65_535, let base = memory.baseAddress else {
      throw .bufferTooShort
    }
    precondition(Int(bitPattern: base) % Self.alignment == 0, "packets begin at a multiple of 4 bytes")
    return try SRTPLibrary.apply(operation, session, base, byteCount: byteCount).get()
  }
}
