/// Why a packet comes when it does.
public enum PacketOrigin: UInt8, Sendable, BitwiseCopyable {
  /// As it was first sent: its time of arrival says how long packets take.
  case first
  /// It has been sent again on request: its time of arrival says nothing about others.
  case retransmitted
  /// Sent again, and a buffer may wait for the next one like it.
  case retransmittedInReach
}
