/// The fixed part of an RTP header.
///
/// Source: RFC 3550, section 5.1.
public struct RTPHeader: Hashable, Sendable, BitwiseCopyable {
  /// Bytes of the fixed part.
  public static let byteCount = 12

  /// First packet after a silence, for audio (RFC 3551, section 4.1).
  public var marker: Bool
  /// Payload type, 0...127.
  public var payloadType: UInt8
  /// Counts packets, wraps at 65536.
  public var sequenceNumber: UInt16
  /// Counts samples of the payload's clock, wraps at 2^32.
  public var timestamp: UInt32
  /// Synchronisation source.
  public var ssrc: UInt32

  /// A header from its fields.
  @_noLocks
  public init(marker: Bool, payloadType: UInt8, sequenceNumber: UInt16, timestamp: UInt32, ssrc: UInt32) {
    self.marker = marker
    self.payloadType = payloadType
    self.sequenceNumber = sequenceNumber
    self.timestamp = timestamp
    self.ssrc = ssrc
  }
}
