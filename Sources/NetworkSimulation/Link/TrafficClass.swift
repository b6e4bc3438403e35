/// Purpose of a packet on a link. All packets meet the same conditions and wait in one queue, but each lane has its own
/// random numbers. The same voice packets are therefore lost, whatever is reported or requested.
///
/// Bursts of loss belong to the path: they follow the packets of the voice, and other packets meet them. If no voice
/// has been sent for half a second, they follow the other packets.
public enum TrafficClass: UInt8, Sendable, BitwiseCopyable {
  /// Packets that are sent in any case.
  case voice
  /// Reports, and packets sent because of them.
  case other
}
