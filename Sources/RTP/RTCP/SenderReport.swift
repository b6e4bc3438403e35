/// What a sender says of itself: how much it has sent, and which of its timestamps belongs to which time.
///
/// Source: RFC 3550, section 6.4.1.
public struct SenderReport: Hashable, Sendable, BitwiseCopyable {
  static var byteCount: Int { @_noLocks get { 24 } }

  /// The sender.
  public var ssrc: UInt32
  /// When the report was sent, by the sender's clock.
  public var ntp: NTPTimestamp
  /// The same moment in the units of the RTP timestamps.
  public var rtpTimestamp: UInt32
  /// RTP packets sent so far.
  public var packetCount: UInt32
  /// Bytes of payload sent so far, without headers and padding.
  public var octetCount: UInt32

  /// A report from its fields.
  @_noLocks
  public init(ssrc: UInt32, ntp: NTPTimestamp, rtpTimestamp: UInt32, packetCount: UInt32, octetCount: UInt32) {
    self.ssrc = ssrc
    self.ntp = ntp
    self.rtpTimestamp = rtpTimestamp
    self.packetCount = packetCount
    self.octetCount = octetCount
  }
}
