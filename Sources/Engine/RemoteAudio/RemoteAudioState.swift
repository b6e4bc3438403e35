/// State of a remote user's sound, with the numbers that programs know.
///
/// Source: the definition of `frozen` is a choice, since W3C's webrtc-stats defines it only for pictures. The sound is
/// frozen when concealment has faded out, and nothing is heard any more.
public enum RemoteAudioState: Int, Hashable, Sendable, CaseIterable {
  /// No sound comes: the stream is missing, or it is muted at one of its ends.
  case stopped = 0
  /// A stream has begun: its first packet has arrived.
  case starting = 1
  /// The sound is decoded and plays.
  case decoding = 2
  /// The sound should play, but nothing has come for so long that 200 ms in a row had to be concealed. It lasts until a
  /// packet is played again.
  case frozen = 3
  /// Packets come, and none can be decoded: 50 in a row were malformed, of another payload type or of another source.
  case failed = 4
}
