/// Writes a datagram of RTCP into the caller's memory, packet by packet.
///
///     var writer = RTCPWriter(into: datagram)
///     try writer.appendReceiverReport(ssrc: 1)
///     try writer.append(block)
///     try writer.appendCanonicalName(name, ssrc: 1)
///     send(datagram[..<writer.byteCount])
///
/// It borrows the memory, which must outlive it. A part that does not fit is not begun; the parts before it stay valid.
public struct RTCPWriter {
  /// Bytes written.
  public private(set) var byteCount = 0
  private let bytes: UnsafeMutableRawBufferPointer
  /// Offset and type of the last packet, to which parts may be appended.
  private var start = 0
  private var open = RTCPPacketType.other

  /// Creates a writer that has written nothing.
  @_noLocks
  public init(into bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

  /// Begins a sender report; its blocks follow.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `bufferTooShort`.
  @_noLocks
  public mutating func append(_ report: SenderReport) throws(RTCPError) {
    let base = try begin(.senderReport, count: 0, bodyByteCount: SenderReport.byteCount)
    store32(report.ssrc, base, 4)
    store32(UInt32(truncatingIfNeeded: report.ntp.rawValue >> 32), base, 8)
    store32(UInt32(truncatingIfNeeded: report.ntp.rawValue), base, 12)
    store32(report.rtpTimestamp, base, 16)
    store32(report.packetCount, base, 20)
    store32(report.octetCount, base, 24)
  }

  /// Begins a receiver report; its blocks follow.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `bufferTooShort`.
  @_noLocks
  public mutating func appendReceiverReport(ssrc: UInt32) throws(RTCPError) {
    store32(ssrc, try begin(.receiverReport, count: 0, bodyByteCount: 4), 4)
  }

  /// Adds a block to the report just begun.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `order` without a report, `tooMany` after 31 blocks, `bufferTooShort`.
  @_noLocks
  public mutating func append(_ block: ReportBlock) throws(RTCPError) {
    switch open {
    case .senderReport, .receiverReport: break
    default: throw .order
    }
    guard let memory = bytes.baseAddress else { throw .bufferTooShort }
    let count = byte(UnsafeRawPointer(memory), start) & 0x1F
    guard count < 31 else { throw .tooMany }
    let base = try extend(byByteCount: ReportBlock.byteCount)
    store8(0x80 | (count &+ 1), memory, start)
    store32(block.ssrc, base, 0)
    var lost = block.cumulativeLost
    if lost > 0x7F_FFFF { lost = 0x7F_FFFF }
    if lost < -0x80_0000 { lost = -0x80_0000 }
    store32(
      UInt32(block.fractionLost) << 24 | (UInt32(truncatingIfNeeded: lost) & 0xFF_FFFF), base, 4)
    store32(block.extendedHighestSequenceNumber, base, 8)
    store32(block.jitter, base, 12)
    store32(block.lastSenderReport, base, 16)
    store32(block.delaySinceLastSenderReport, base, 20)
  }

  /// Adds a source description with a canonical name in UTF-8.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `tooMany` for a name of more than 255 bytes, `bufferTooShort`.
  @_noLocks
  public mutating func appendCanonicalName(_ name: UnsafeRawBufferPointer, ssrc: UInt32) throws(RTCPError) {
    guard name.count <= 255 else { throw .tooMany }
    // The item, and at least one zero after it.
    let itemByteCount = (2 &+ name.count &+ 1 &+ 3) & ~3
    let base = try begin(.sourceDescription, count: 1, bodyByteCount: 4 &+ itemByteCount)
    store32(ssrc, base, 4)
    store8(SourceDescriptionReader.Item.canonicalName, base, 8)
    store8(UInt8(truncatingIfNeeded: name.count), base, 9)
    fill(base + 10, with: name, byteCount: itemByteCount &- 2)
  }

  /// Adds a BYE, with a reason in UTF-8 if given.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `tooMany` for a reason of more than 255 bytes, `bufferTooShort`.
  @_noLocks
  public mutating func appendBye(ssrc: UInt32, reason: UnsafeRawBufferPointer? = nil) throws(RTCPError) {
    guard let reason else {
      store32(ssrc, try begin(.bye, count: 1, bodyByteCount: 4), 4)
      return
    }
    guard reason.count <= 255 else { throw .tooMany }
    let reasonByteCount = (1 &+ reason.count &+ 3) & ~3
    let base = try begin(.bye, count: 1, bodyByteCount: 4 &+ reasonByteCount)
    store32(ssrc, base, 4)
    store8(UInt8(truncatingIfNeeded: reason.count), base, 8)
    fill(base + 9, with: reason, byteCount: reasonByteCount &- 1)
  }

  /// Adds a generic NACK with its first pair; others follow.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `bufferTooShort`.
  @_noLocks
  public mutating func appendNack(senderSSRC: UInt32, mediaSSRC: UInt32, _ pair: NackPair) throws(RTCPError) {
    let base = try begin(.transportFeedback, count: 1, bodyByteCount: 12)
    store32(senderSSRC, base, 4)
    store32(mediaSSRC, base, 8)
    store16(pair.packetID, base, 12)
    store16(pair.bitmask, base, 14)
  }

  /// Adds a pair to the NACK just begun.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `order` without a NACK, `bufferTooShort`.
  @_noLocks
  public mutating func append(_ pair: NackPair) throws(RTCPError) {
    guard case .transportFeedback = open else { throw .order }
    let base = try extend(byByteCount: 4)
    store16(pair.packetID, base, 0)
    store16(pair.bitmask, base, 2)
  }

  /// Adds an extended report with the reference time of a member without sender reports, so that an answer gives it the
  /// round trip.
  ///
  /// Source: RFC 3611, section 4.4. Real-time: wait-free.
  ///
  /// - Throws: `bufferTooShort`.
  @_noLocks
  public mutating func appendReceiverReference(ssrc: UInt32, _ ntp: NTPTimestamp) throws(RTCPError) {
    let base = try begin(.extendedReport, count: 0, bodyByteCount: 16)
    store32(ssrc, base, 4)
    store8(ReceiverReferenceTime.blockType, base, 8)
    store8(0, base, 9)
    store16(2, base, 10)
    store32(UInt32(truncatingIfNeeded: ntp.rawValue >> 32), base, 12)
    store32(UInt32(truncatingIfNeeded: ntp.rawValue), base, 16)
  }

  /// Adds an extended report with the answer to a reference time.
  ///
  /// Source: RFC 3611, section 4.5. Real-time: wait-free.
  ///
  /// - Throws: `bufferTooShort`.
  @_noLocks
  public mutating func append(_ answer: ReceiverReferenceTime, ssrc: UInt32) throws(RTCPError) {
    let base = try begin(.extendedReport, count: 0, bodyByteCount: 20)
    store32(ssrc, base, 4)
    store8(ReceiverReferenceTime.answerBlockType, base, 8)
    store8(0, base, 9)
    store16(3, base, 10)
    store32(answer.ssrc, base, 12)
    store32(answer.reference, base, 16)
    store32(answer.delay, base, 20)
  }

  /// Begins a packet.
  ///
  /// - Returns: First byte of the new packet.
  @_noLocks
  private mutating func begin(
    _ type: RTCPPacketType, count: UInt8, bodyByteCount: Int
  ) throws(RTCPError) -> UnsafeMutableRawPointer {
    guard byteCount &+ 4 &+ bodyByteCount <= bytes.count, let memory = bytes.baseAddress else { throw .bufferTooShort }
    start = byteCount
    open = type
    byteCount = start &+ 4 &+ bodyByteCount
    store8(0x80 | count, memory, start)
    store8(type.code, memory, start &+ 1)
    store16(UInt16(truncatingIfNeeded: bodyByteCount / 4), memory, start &+ 2)
    return memory + start
  }

  /// Extends the last packet.
  ///
  /// - Returns: First of the added bytes.
  @_noLocks
  private mutating func extend(byByteCount added: Int) throws(RTCPError) -> UnsafeMutableRawPointer {
    guard byteCount &+ added <= bytes.count, byteCount &+ added &- start <= 4 &* 0x1_0000,
      let memory = bytes.baseAddress
    else { throw .bufferTooShort }
    let target = memory + byteCount
    byteCount = byteCount &+ added
    store16(UInt16(truncatingIfNeeded: (byteCount &- start) / 4 &- 1), memory, start &+ 2)
    return target
  }

  /// Copies text and fills the rest with zeros.
  @_noLocks
  private func fill(_ target: UnsafeMutableRawPointer, with text: UnsafeRawBufferPointer, byteCount: Int) {
    for index in 0..<byteCount {
      if index < text.count, let source = text.baseAddress {
        store8(byte(source, index), target, index)
      } else {
        store8(0, target, index)
      }
    }
  }
}
