public import RTP

/// Opus packet of a remote user, as its sender encoded it.
///
/// Packets of a user come in their order, each once. A packet names the loss before it, so that a program can conceal
/// the loss, or keep its length in a file.
public struct EncodedPacket: Hashable, Sendable {
  /// Bytes of the Opus packet (RFC 6716, section 3).
  public let payload: [UInt8]
  /// Time of the first sample, in samples of 48 kHz without wraps. It counts from another origin behind a restart.
  public let timestamp: Int
  /// Number of the packet without wraps; it counts from another origin behind a restart.
  public let sequenceNumber: Int
  /// Samples per channel in the packet, at 48 kHz.
  public let samplesPerChannel: Int
  /// Whether the packet was encoded in stereo.
  public let isStereo: Bool
  /// Level of the packet's sound; nil if the sender did not name it.
  public let level: AudioLevel?
  /// Packets that are lost between the packet before and this one.
  public internal(set) var lostPacketCount = 0
  /// Samples of 48 kHz between the end of the packet before and this one: those of lost packets, and pauses of the
  /// sender.
  public internal(set) var missingSampleCount = 0
  /// Whether the packet is the first of its sender, or the first behind the sender's restart.
  public internal(set) var isRestart = false
  /// Time of arrival by the clock of the receiver, in nanoseconds.
  public let arrivalNanoseconds: Int

  init(
    payload: [UInt8], _ format: OpusPayload, timestamp: Int, sequenceNumber: Int, level: AudioLevel?,
    arrivalNanoseconds: Int
  ) {
    self.payload = payload
    self.timestamp = timestamp
    self.sequenceNumber = sequenceNumber
    samplesPerChannel = format.samplesPerChannel
    isStereo = format.isStereo
    self.level = level
    self.arrivalNanoseconds = arrivalNanoseconds
  }

  /// Time of the first sample behind the packet, in samples of 48 kHz.
  public var endTimestamp: Int { timestamp + samplesPerChannel }
}
