/// What a packet on a link is there for. All meet the same conditions and wait in one queue, but each lane has random
/// numbers of its own: the same packets of a voice are lost whatever is reported, or asked for again.
///
/// Bursts of loss are the way's: they go by the packets of the voice, and what else is sent meets them. Where no voice
/// has been sent for half a second, they go by what else is sent.
public enum TrafficClass: UInt8, Sendable, BitwiseCopyable {
  /// What is sent anyway.
  case voice
  /// Reports, and what is sent because of them.
  case other
}
