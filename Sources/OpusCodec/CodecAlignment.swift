import RTP

/// Delay of decoded sound that aligns all of it, regardless of the layer of Opus that made it.
///
/// The encoder's pre-skip is the delay of CELT. SILK is converted between its own rates and 48 kHz by filters that bend
/// phases. Its sound of 8 kHz comes 2 samples later, and that of 12 kHz comes 3 earlier. That of 16 kHz, alone or in a
/// hybrid, comes 0 to 2 earlier, depending on the sound. That of 12 kHz comes 1 earlier if redundancy brings it at 16
/// kbit/s and more, which is not a rate of its own. Measured with libopus 1.3.1 by the correlation of speech.
enum CodecAlignment {
  /// Samples that all sound waits, so that late sound need not wait.
  static var base: Int { @_noLocks get { 2 } }
  /// Longest delay, in samples.
  static var longest: Int { @_noLocks get { 5 } }

  /// Returns the samples that a packet's sound waits, at `bitRate` bits a second.
  @_noLocks
  static func delay(of packet: OpusPayload, bitRate: Int) -> Int {
    if case .celt = packet.mode { return base }
    switch packet.bandwidth {
    case .narrow: return 0
    case .medium: return bitRate < 16_000 ? longest : base &+ 1
    case .wide, .superWide, .full: return base &+ 1
    }
  }
}
