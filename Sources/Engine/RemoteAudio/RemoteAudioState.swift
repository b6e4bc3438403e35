/// What the sound of a remote user does, with the numbers that programs know.
///
/// Source: when sound is frozen is a choice, since W3C's webrtc-stats says so of pictures alone: when concealment has
/// faded out, and nothing is heard any more.
public enum RemoteAudioState: Int, Hashable, Sendable, CaseIterable {
  /// None comes: there is no stream, or it is muted at one of its ends.
  case stopped = 0
  /// A stream has begun: its first packet is there.
  case starting = 1
  /// It is decoded and plays.
  case decoding = 2
  /// It should play, and nothing has come for so long that 200 ms in a row had to be made up. It lasts until a packet
  /// is played again.
  case frozen = 3
  /// Packets come, and none can be decoded: 50 in a row were malformed, of another payload type or of another source.
  case failed = 4
}
