package import RTP

/// Parts of a packet that a receiver can decode; valid as long as its bytes.
package struct PacketContent {
  package let view: RTPPacketView
  let payload: UnsafeRawBufferPointer
  package let info: PayloadInfo

  /// Parses a packet.
  ///
  /// - Throws: if a receiver with these options cannot decode the packet.
  @_noLocks
  init(
    of packet: UnsafeRawBufferPointer, _ options: JitterBufferOptions,
    learned: LearnedPayloadType = LearnedPayloadType()
  ) throws(PacketContentError) {
    do throws(RTPError) {
      view = try RTPPacketView(parsing: packet)
    } catch {
      throw .malformed
    }
    guard let base = packet.baseAddress, view.payloadByteCount <= PacketBuffer.bytesPerPayload else { throw .malformed }
    var whole = UnsafeRawBufferPointer(start: base + view.payloadOffset, count: view.payloadByteCount)
    var type = view.header.payloadType
    if type == options.redundancyPayloadType {
      guard let newest = REDPayload(parsing: whole) else { throw .malformed }
      type = newest.payloadType
      whole = UnsafeRawBufferPointer(start: whole.baseAddress! + newest.offset, count: whole.count &- newest.offset)
    }
    if let expected = options.expectedPayloadType {
      guard type == expected || options.codec.hasSibling(expected, type) else { throw .otherPayloadType }
    } else if options.learnsPayloadType {
      guard options.mayHave(payloadType: type),
        type != view.header.payloadType || learned.accepts(view.header, payload: whole)
      else { throw .otherPayloadType }
    }
    payload = whole
    guard let info = PayloadInfo(payload, payloadType: type, codec: options.codec) else {
      throw .malformed
    }
    self.info = info
  }
}
