import RTP

/// Protects sent packets, or checks and decrypts received ones, under one master key, in the caller's memory.
///
/// A session is for one direction and for any number of sources. Two sessions must never protect packets of the same
/// source under the same key: the same source and number twice would break the cipher.
///
/// A refused packet leaves no plain text in the caller's memory. No packet is read or written beyond the lent memory.
///
/// Thread: one at a time. Real-time: no locks, but OpenSSL is not checked; the first packet of a source allocates its
/// state of about 300 bytes, and no other packet allocates.
///
/// Source: RFC 3711, RFC 7714. OpenSSL has the ciphers. Packets have no MKI, and keys are derived once.
public struct SRTPSession: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the ciphers and the states of sources have this one owner, and only the owner's
  // mutating methods reach them.

  /// Direction of a session: to protect, or to decrypt.
  public enum Direction: Sendable {
    /// For sent packets.
    case outbound
    /// For received packets.
    case inbound
  }

  /// Highest index of a packet: 48 bits.
  static let highestIndex: UInt64 = 0xFFFF_FFFF_FFFF
  /// Highest number of an RTCP datagram: 31 bits.
  static let highestRTCPIndex: UInt32 = 0x7FFF_FFFF
  /// Longest packet with its protection, in bytes: that of UDP.
  private static let largestByteCount = 65_535

  /// Suite that protects the packets.
  public let suite: SRTPSuite
  /// Whether the packet decrypted last has the highest number of its source so far. Nobody can have held it back.
  public private(set) var isNewest = false
  private let direction: Direction
  private let rtp: any PacketCipher
  private let rtcp: any PacketCipher
  private let replayWindow: Int
  private var sources: [UInt32: SourceState] = [:]
  private var search = RolloverCounterSearch()

  /// Creates a session from a key, of which it keeps derived keys only.
  ///
  /// - Parameters:
  ///   - key: master key and salt.
  ///   - direction: direction of the packets.
  ///   - replayWindow: packets by which one may be out of order and still be distinguished from a duplicate,
  ///     1024...32767.
  public init(_ key: borrowing SRTPKey, _ direction: Direction, replayWindow: Int = 1024) {
    precondition((1024...32_767).contains(replayWindow), "a replay window has 1024 to 32767 packets")
    suite = key.suite
    self.direction = direction
    self.replayWindow = replayWindow
    var keys = KeyDerivation(key)
    let isOutbound = direction == .outbound
    rtp = Self.makeCipher(key.suite, &keys, .rtpEncryption, .rtpAuthentication, .rtpSalt, isEncrypting: isOutbound)
    rtcp = Self.makeCipher(key.suite, &keys, .rtcpEncryption, .rtcpAuthentication, .rtcpSalt, isEncrypting: isOutbound)
  }

  private static func makeCipher(
    _ suite: SRTPSuite, _ keys: inout KeyDerivation, _ encryption: KeyDerivation.Label,
    _ authentication: KeyDerivation.Label, _ salt: KeyDerivation.Label, isEncrypting: Bool
  ) -> any PacketCipher {
    let key = keys.key(encryption, byteCount: suite.keyByteCount)
    let salt = keys.key(salt, byteCount: suite.saltByteCount)
    switch suite {
    case .aeadAES128GCM, .aeadAES256GCM: return GCMPacketCipher(key: key, salt: salt, isEncrypting: isEncrypting)
    case .aesCM128HMACSHA1_80, .aesCM128HMACSHA1_32:
      let authentication = keys.key(authentication, byteCount: 20)
      return CounterPacketCipher(
        key: key, authentication: authentication, salt: salt, tagByteCount: suite.rtpOverhead)
    }
  }

  /// Returns a number for the first packet of a source. It is below 32768, so that a receiver that misses the first
  /// packets does not take the first wrap for the beginning.
  public static func initialSequenceNumber(using generator: inout some RandomNumberGenerator) -> UInt16 {
    generator.next() & 0x7FFF
  }

  // MARK: RTP

  /// Encrypts an RTP packet and adds its tag; `memory` holds it and `suite.rtpOverhead` bytes more.
  ///
  /// - Returns: Bytes of the result.
  /// - Throws: `bufferTooShort`, `malformed`, `replay` for a number used before, `keyExhausted`.
  public mutating func protect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int) throws(SRTPError) -> Int {
    precondition(direction == .outbound, "this session is for received packets")
    let base = try base(of: memory, byteCount: byteCount, resultByteCount: byteCount + suite.rtpOverhead)
    let header = try ClearHeader(UnsafeRawBufferPointer(start: base, count: byteCount))
    return try protect(base, byteCount, header, sources[header.ssrc] ?? makeSource(header.ssrc))
  }

  /// Returns the numbers of a source, with which its packets need no search.
  package mutating func source(_ ssrc: UInt32) -> SourceState {
    precondition(direction == .outbound, "this session is for received packets")
    return sources[ssrc] ?? makeSource(ssrc)
  }

  /// Encrypts an RTP packet of a source of this session; otherwise as `protect`.
  package func protect(
    _ memory: UnsafeMutableRawBufferPointer, byteCount: Int, _ source: SourceState
  ) throws(SRTPError) -> Int {
    let base = try base(of: memory, byteCount: byteCount, resultByteCount: byteCount + suite.rtpOverhead)
    let header = try ClearHeader(UnsafeRawBufferPointer(start: base, count: byteCount))
    precondition(header.ssrc == source.ssrc, "the packet is another source's")
    return try protect(base, byteCount, header, source)
  }

  private func protect(
    _ base: UnsafeMutableRawPointer, _ byteCount: Int, _ header: ClearHeader, _ source: SourceState
  ) throws(SRTPError) -> Int {
    let index = source.index(of: header.sequenceNumber)
    guard index <= Self.highestIndex else { throw .keyExhausted }
    guard source.packets.position(of: index) == .new else { throw .replay }
    // The number counts as used from here on, whatever happens to the packet.
    source.packets.insert(index)
    rtp.seal(base, headerByteCount: header.byteCount, byteCount: byteCount, ssrc: header.ssrc, index: index)
    return byteCount + suite.rtpOverhead
  }

  /// Checks the tag of an RTP packet and decrypts it.
  ///
  /// - Returns: Bytes of the result.
  /// - Throws: `malformed`, `authentication`, `replay`; the caller counts and drops the packet, whose bytes mean
  ///   nothing then.
  public mutating func unprotect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int) throws(SRTPError) -> Int {
    precondition(direction == .inbound, "this session is for sent packets")
    let base = try base(of: memory, byteCount: byteCount, resultByteCount: byteCount)
    let header = try clearHeader(base, byteCount)
    let source = sources[header.ssrc]
    return try unprotect(
      base, byteCount, header, source, index: source?.index(of: header.sequenceNumber) ?? UInt64(header.sequenceNumber))
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
      guard case .authentication = error, let base = memory.baseAddress,
        let header = try? clearHeader(base, packet.count), sources[header.ssrc] == nil
      else { throw error }
      // A source with a decrypted packet counts its wraps itself.
      let index = UInt64(search.next(header.ssrc)) << 16 | UInt64(header.sequenceNumber)
      // The first attempt has changed the memory.
      memory.copyMemory(from: packet)
      let count = try unprotect(base, packet.count, header, nil, index: index)
      search.take(header.ssrc)
      return count
    }
  }

  private mutating func unprotect(
    _ base: UnsafeMutableRawPointer, _ byteCount: Int, _ header: ClearHeader, _ known: SourceState?, index: UInt64
  ) throws(SRTPError) -> Int {
    if let known, known.packets.position(of: index) != .new { throw .replay }
    guard index <= Self.highestIndex,
      rtp.open(base, headerByteCount: header.byteCount, byteCount: byteCount, ssrc: header.ssrc, index: index)
    else { throw .authentication }
    // Only an authentic packet takes memory and moves the window.
    let source = known ?? makeSource(header.ssrc)
    isNewest = source.packets.highest.map { index > $0 } ?? true
    source.packets.insert(index)
    return byteCount - suite.rtpOverhead
  }

  // MARK: RTCP

  /// Encrypts a datagram of RTCP and adds its number and tag; `memory` holds it and `suite.rtcpOverhead` bytes more.
  ///
  /// - Returns: Bytes of the result.
  /// - Throws: `bufferTooShort`, `malformed`, `keyExhausted`.
  public mutating func protectRTCP(
    _ memory: UnsafeMutableRawBufferPointer, byteCount: Int
  ) throws(SRTPError) -> Int {
    precondition(direction == .outbound, "this session is for received packets")
    guard byteCount >= 8 else { throw .malformed }
    let base = try base(of: memory, byteCount: byteCount, resultByteCount: byteCount + suite.rtcpOverhead)
    let ssrc = UInt32(bigEndian: base.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    let source = sources[ssrc] ?? makeSource(ssrc)
    guard source.rtcpIndex < Self.highestRTCPIndex else { throw .keyExhausted }
    source.rtcpIndex += 1
    rtcp.sealRTCP(base, byteCount: byteCount, ssrc: ssrc, index: source.rtcpIndex)
    return byteCount + suite.rtcpOverhead
  }

  /// Checks the tag of a datagram of RTCP and decrypts it.
  ///
  /// - Returns: Bytes of the result.
  /// - Throws: `malformed`, `authentication`, `replay`; the caller counts and drops the datagram, whose bytes mean
  ///   nothing then.
  public mutating func unprotectRTCP(
    _ memory: UnsafeMutableRawBufferPointer, byteCount: Int
  ) throws(SRTPError) -> Int {
    precondition(direction == .inbound, "this session is for sent packets")
    guard byteCount >= 8 + suite.rtcpOverhead else { throw .malformed }
    let base = try base(of: memory, byteCount: byteCount, resultByteCount: byteCount)
    let ssrc = UInt32(bigEndian: base.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    let offset = rtcp.rtcpIndexOffset(byteCount: byteCount)
    let word = UInt32(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    guard word > Self.highestRTCPIndex else { throw .malformed }
    let index = word & Self.highestRTCPIndex
    let known = sources[ssrc]
    if let known, known.reports.position(of: UInt64(index)) != .new { throw .replay }
    guard rtcp.openRTCP(base, byteCount: byteCount, ssrc: ssrc, index: index) else { throw .authentication }
    let source = known ?? makeSource(ssrc)
    isNewest = source.reports.highest.map { index > $0 } ?? true
    source.reports.insert(UInt64(index))
    return byteCount - suite.rtcpOverhead
  }

  // MARK: Sources

  /// Frees the memory of a source that has ended. Its SSRC must never protect another packet in an outbound session: a
  /// number used twice would break the cipher.
  public mutating func forget(_ ssrc: UInt32) { sources[ssrc] = nil }

  /// State of a source, for tests of the last numbers under a key.
  func state(of ssrc: UInt32) -> SourceState? { sources[ssrc] }

  private mutating func makeSource(_ ssrc: UInt32) -> SourceState {
    let source = SourceState(ssrc, packetWindow: replayWindow)
    sources[ssrc] = source
    return source
  }

  private func clearHeader(_ base: UnsafeMutableRawPointer, _ byteCount: Int) throws(SRTPError) -> ClearHeader {
    try ClearHeader(UnsafeRawBufferPointer(start: base, count: max(0, byteCount - suite.rtpOverhead)))
  }

  private func base(
    of memory: UnsafeMutableRawBufferPointer, byteCount: Int, resultByteCount: Int
  ) throws(SRTPError) -> UnsafeMutableRawPointer {
    guard byteCount >= 0, resultByteCount <= memory.count, resultByteCount <= Self.largestByteCount,
      let base = memory.baseAddress
    else { throw .bufferTooShort }
    return base
  }
}
