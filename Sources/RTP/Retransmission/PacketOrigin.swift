/// Reason for the time at which a packet arrives.
public enum PacketOrigin: UInt8, Sendable, BitwiseCopyable {
  /// First transmission; its time of arrival shows the delay of packets.
  case first
  /// Retransmission on request; its time of arrival does not show the delay of other packets.
  case retransmitted
  /// Retransmission on request, after which a buffer may wait for the next one like it.
  case retransmittedInReach
}
