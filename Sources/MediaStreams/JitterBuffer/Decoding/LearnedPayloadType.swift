import RTP

/// Payload type of an Opus stream that no description states: the type of the stream's first packets.
///
/// Key presses, comfort noise and RED packets have other types but the same source; decoded as Opus, they are noise.
///
/// Thread: one at a time. Real-time: wait-free. Source: RFC 3550, section 5.1.
struct LearnedPayloadType: BitwiseCopyable {
  private var ssrc: UInt32?
  private var type: UInt8 = 0
  /// Packets of other types in a row.
  private var otherCount = 0

  /// Payload type of RED in browsers. Source: RFC 2198; the number is a convention.
  private static var redundancy: UInt8 { @_noLocks get { 63 } }
  /// Longest run of other types, in packets. A sender that has changed its type is received again after it: 1 s of
  /// packets of 20 ms.
  private static var longestOtherRun: Int { @_noLocks get { 50 } }

  @_noLocks
  init() {}

  /// Returns whether a packet may be an Opus packet of the stream, or the first of one.
  @_noLocks
  func accepts(_ header: RTPHeader, payload: UnsafeRawBufferPointer) -> Bool {
    if let ssrc, ssrc == header.ssrc { return header.payloadType == type }
    if header.payloadType == LearnedPayloadType.redundancy { return false }
    return !LearnedPayloadType.isKeyPress(payload)
  }

  /// Notes an Opus packet that belongs to the stream or begins one.
  @_noLocks
  mutating func note(_ header: RTPHeader) {
    otherCount = 0
    if ssrc == header.ssrc { return }
    (ssrc, type) = (header.ssrc, header.payloadType)
  }

  /// Notes a packet of another type.
  @_noLocks
  mutating func noteOther(_ header: RTPHeader) {
    guard ssrc == header.ssrc, header.payloadType != type else { return }
    otherCount &+= 1
    if otherCount == LearnedPayloadType.longestOtherRun { self = LearnedPayloadType() }
  }

  /// Returns whether a payload is as long as a key press, and has the reserved bit of one at 0.
  @_noLocks
  private static func isKeyPress(_ payload: UnsafeRawBufferPointer) -> Bool {
    payload.count == 4 && payload[0] <= 16 && payload[1] & 0x40 == 0
  }
}
