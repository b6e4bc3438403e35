package import RTP
import Signalling

extension RTPHeader {
  /// Header of a packet with a message. Receivers do not use its timestamp.
  package init(messageNumber: UInt16, ssrc: UInt32, nowNanoseconds: Int) {
    self.init(
      marker: false, payloadType: WireConventions.dataPayloadType, sequenceNumber: messageNumber,
      timestamp: UInt32(truncatingIfNeeded: nowNanoseconds / 1_000_000 * 48), ssrc: ssrc)
  }
}
