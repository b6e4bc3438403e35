/// Protects what is sent, or checks and opens what is received, under one master key, in memory of the caller's.
///
/// A session is for one direction and for any number of sources. Two sessions must never protect packets of the same
/// source under the same key: the same source and number twice would give the cipher away.
///
/// Thread: one at a time. Real-time: no; the library allocates for every new source, and may within a packet.
///
/// Source: RFC 3711, RFC 7714; libsrtp does the work.
public struct SRTPSession: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the library's session has this one owner, whose mutating methods are the only way to
  // it.

  /// Whether a session protects or opens.
  public enum Direction: Sendable {
    /// Packets that are sent.
    case outbound
    /// Packets that are received.
    case inbound
  }

  /// Where memory of packets is to begin: at multiples of this.
  public static let alignment = 4

  /// How packets are protected.
  public let suite: SRTPSuite
  private let direction: Direction
  private let session: OpaquePointer
  private let key: SRTPKey
  private let replayWindow: Int
  private var search = RolloverCounterSearch()

  /// A session under a key, which may go afterwards: the session has its own copy.
  ///
  /// - Parameter replayWindow: How far packets may come out of order and still be told from repeated ones,
  ///   1024...32767.
  ///
  /// Throws: `library`.
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

  /// A number for the first packet of a source: below 32768, so that a receiver that misses the first packets does not
  /// take the first wrap for the beginning.
  public static func initialSequenceNumber(using generator: inout some RandomNumberGenerator) -> UInt16 {
    generator.next() & 0x7FFF
  }

  /// Encrypts an RTP packet and adds its tag; `memory` holds it and `suite.rtpOverhead` bytes more.
  ///
  /// Returns: bytes of the result. Throws: `noRoom`, `malformed`, `replay` for a number used before, `keyExhausted`.
  public mutating func protect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int) throws(SRTPError) -> Int {
    guard byteCount >= RTPHeader.byteCount else { throw .malformed }
    return try apply(.protectRTP, memory, byteCount: byteCount, resultByteCount: byteCount + suite.rtpOverhead)
  }

  /// Checks the tag of an RTP packet and decrypts it.
  ///
  /// Returns: bytes of the result. Throws: `malformed`, `authentication`, `replay`; the caller counts and drops the
  /// packet, whose bytes mean nothing then.
  public mutating func unprotect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int) throws(SRTPError) -> Int {
    guard byteCount >= RTPHeader.byteCount + suite.rtpOverhead else { throw .malformed }
    return try apply(.unprotectRTP, memory, byteCount: byteCount, resultByteCount: byteCount)
  }

  /// Checks the tag of an RTP packet and decrypts it into other memory, also where the number of its source had wrapped
  /// before its first packet came here: that takes as many packets as it has wrapped.
  ///
  /// Returns: bytes of the result. Throws: as `unprotect`.
  public mutating func unprotect(
    _ packet: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer
  ) throws(SRTPError) -> Int {
    guard packet.count <= memory.count else { throw .noRoom }
    memory.copyMemory(from: packet)
    do {
      return try unprotect(memory, byteCount: packet.count)
    } catch {
      guard case .authentication = error, let count = unprotectWrapped(packet, into: memory) else { throw error }
      return count
    }
  }

  /// The same with another count of wraps; nil = that opens it neither.
  private mutating func unprotectWrapped(
    _ packet: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer
  ) -> Int? {
    // A source of which a packet has been opened counts its wraps itself.
    guard let source = (try? RTPPacketView(parsing: packet))?.header.ssrc, !SRTPLibrary.knows(source, in: session)
    else { return nil }
    SRTPLibrary.add(source, wraps: search.next(source), to: session, key, replayWindow: replayWindow)
    // The first attempt may have changed it.
    memory.copyMemory(from: packet)
    guard let count = try? unprotect(memory, byteCount: packet.count) else {
      // Or the next packet would not be tried with none.
      SRTPLibrary.remove(source, from: session)
      return nil
    }
    search.take(source)
    return count
  }

  /// Encrypts a datagram of RTCP and adds its number and tag; `memory` holds it and `suite.rtcpOverhead` bytes more.
  ///
  /// Returns: bytes of the result. Throws: `noRoom`, `malformed`, `keyExhausted`.
  public mutating func protectRTCP(
    _ memory: UnsafeMutableRawBufferPointer, byteCount: Int
  ) throws(SRTPError) -> Int {
    guard byteCount >= 8 else { throw .malformed }
    return try apply(.protectRTCP, memory, byteCount: byteCount, resultByteCount: byteCount + suite.rtcpOverhead)
  }

  /// Checks the tag of a datagram of RTCP and decrypts it.
  ///
  /// Returns: bytes of the result. Throws: `malformed`, `authentication`, `replay`; the caller counts and drops the
  /// datagram, whose bytes mean nothing then.
  public mutating func unprotectRTCP(
    _ memory: UnsafeMutableRawBufferPointer, byteCount: Int
  ) throws(SRTPError) -> Int {
    guard byteCount >= 8 + suite.rtcpOverhead else { throw .malformed }
    return try apply(.unprotectRTCP, memory, byteCount: byteCount, resultByteCount: byteCount)
  }

  private mutating func apply(
    _ operation: SRTPLibrary.Operation, _ memory: UnsafeMutableRawBufferPointer, byteCount: Int, resultByteCount: Int
  ) throws(SRTPError) -> Int {
    switch operation {
    case .protectRTP, .protectRTCP: precondition(direction == .outbound, "this session is for what is received")
    case .unprotectRTP, .unprotectRTCP: precondition(direction == .inbound, "this session is for what is sent")
    }
    guard resultByteCount <= memory.count, resultByteCount <= 65_535, let base = memory.baseAddress else {
      throw .noRoom
    }
    precondition(Int(bitPattern: base) % Self.alignment == 0, "packets begin at a multiple of 4 bytes")
    return try SRTPLibrary.apply(operation, session, base, byteCount: byteCount).get()
  }
}
