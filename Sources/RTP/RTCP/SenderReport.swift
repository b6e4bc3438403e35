/// Report of a sender about itself: its counts of packets, and the relation of its timestamps to its clock.
///
/// Source: RFC 3550, section 6.4.1.
public struct SenderReport: Hashable, Sendable, BitwiseCopyable {
  static var byteCount: Int { @_noLocks get { 24 } }

  /// Synchronization source of the sender.
  public var ssrc: UInt32
  /// Time at which the report was sent, by the sender's clock.
  public var ntp: NTPTimestamp
  /// Time at which the report was sent, in units of the RTP timestamps.
  public var rtpTimestamp: UInt32
  /// RTP packets sent so far.
  public var packetCount: UInt32
  /// Bytes of payload sent so far, without headers and padding.
  public var octetCount: UInt32

  /// Creates a report from its fields.
  @_noLocks
  public init(ssrc: UInt32, ntp: NTPTimestamp, rtpTimestamp: UInt32, packetCount: UInt32, octetCount: UInt32) {
    self.ssrc = ssrc
    self.ntp = ntp
    self.rtpTimestamp = rtpTimestamp
    self.packetCount = packetCount
    self.octetCount = octetCount
  }
}
