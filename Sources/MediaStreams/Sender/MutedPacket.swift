/// Announcement of a sender's pause, for codecs that have one. With Opus it is one byte, a frame of no bytes, as an
/// encoder with DTX sends it; `NullPayload` has a bit for it.
///
/// Source: RFC 6716, sections 3.1 and 3.2.1; RFC 7587, section 3.1.3.
enum MutedPacket {
  /// Time between two announcements, in frames: as often as an encoder with DTX sends one.
  static var intervalFrames: Int { @_noLocks get { 40 } }

  /// Returns the frames of silence that are sent first. Opus's decoder takes the newest sound for the background that
  /// continues, and needs so long to take silence for it.
  @_noLocks
  static func silentFrames(_ codec: SenderCodec) -> Int {
    switch codec {
    case .opus: 50
    // All of the pause: telephones and their gateways end a call without packets.
    case .pcmu, .pcma: .max
    // The rest of the sound in the rate converter.
    case .linear16: 1
    case .null: 0
    }
  }

  /// Returns the first byte of a packet of 10 ms in the same mode, bandwidth and channels as another one, with a single
  /// frame.
  @_noLocks
  static func header(like toc: UInt8) -> UInt8 {
    let channels = toc & 0x04
    let configuration = toc >> 3
    if configuration >= 16 { return (configuration & ~3 | 2) << 3 | channels }
    if configuration >= 12 { return (configuration & ~1) << 3 | channels }
    return (configuration & ~3) << 3 | channels
  }
}
