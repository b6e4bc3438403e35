import RTP

/// By how much what has been decoded is to wait, so that all of it lies where it was, whichever layer of Opus made it.
///
/// The encoder's pre-skip is the delay of CELT. SILK is converted between its own rates and 48 kHz by filters that bend
/// phases, and what it makes comes 2 samples later (of 8 kHz), 3 earlier (of 12 kHz) or 0 to 2 earlier, as the sound
/// goes (of 16 kHz, alone or in a hybrid); that of 12 kHz comes 1 earlier where redundancy brings it at 16 kbit/s and
/// more, which is no rate of its own. Measured with libopus 1.3.1 by the correlation of speech.
enum CodecAlignment {
  /// Samples that all of it waits, so that what comes late need not.
  static var base: Int { @_noLocks get { 2 } }
  /// The longest delay there is.
  static var longest: Int { @_noLocks get { 5 } }

  /// Samples that a packet's sound waits, at so many bits a second.
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
