extension RTCPPacketView {
  /// Returns the reference time in an extended report, to be answered; nil without one.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `otherType`; `extendedReport` if a block is cut off.
  @_noLocks
  public func receiverReferenceTime() throws(RTCPError) -> NTPTimestamp? {
    guard let offset = try block(ReceiverReferenceTime.blockType, minimumByteCount: 8, from: 8) else { return nil }
    let upper = try word(offset, else: .extendedReport)
    let lower = try word(offset &+ 4, else: .extendedReport)
    return NTPTimestamp(rawValue: UInt64(upper) << 32 | UInt64(lower))
  }

  /// Returns the answer of an extended report to one receiver; nil without one.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `otherType`; `extendedReport` if a block is cut off.
  @_noLocks
  public func receiverReferenceTime(answering ssrc: UInt32) throws(RTCPError) -> ReceiverReferenceTime? {
    var start = 8
    while let offset = try block(ReceiverReferenceTime.answerBlockType, minimumByteCount: 0, from: start) {
      let end = offset &+ blockByteCount(before: offset)
      var answer = offset
      while answer &+ 12 <= end {
        if try word(answer, else: .extendedReport) == ssrc {
          return ReceiverReferenceTime(
            ssrc: ssrc, reference: try word(answer &+ 4, else: .extendedReport),
            delay: try word(answer &+ 8, else: .extendedReport))
        }
        answer = answer &+ 12
      }
      start = end
    }
    return nil
  }

  /// Returns the offset of the body of the first block of a type, at or behind an offset; nil without one.
  @_noLocks
  private func block(_ type: UInt8, minimumByteCount: Int, from start: Int) throws(RTCPError) -> Int? {
    guard case .extendedReport = self.type else { throw .otherType }
    var offset = start
    while offset &+ 4 <= bytes.count {
      let head = try word(offset, else: .extendedReport)
      let end = offset &+ 4 &+ 4 &* Int(head & 0xFFFF)
      guard end <= bytes.count else { throw .extendedReport }
      if UInt8(truncatingIfNeeded: head >> 24) == type, end &- offset &- 4 >= minimumByteCount { return offset &+ 4 }
      offset = end
    }
    return nil
  }

  /// Returns the bytes of a block's body; its header lies before it and has been checked.
  @_noLocks
  private func blockByteCount(before offset: Int) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    return 4 &* Int(bigEndian16(base, offset &- 2))
  }
}
