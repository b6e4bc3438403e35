/// A simulated sound device: its format, and the faults of its clock.
public struct VirtualDevice: Hashable, Sendable {
  /// Name that opens the device.
  public var id: String
  /// Direction of the sound.
  public var direction: AudioDirection
  /// Rate of the device, in Hz.
  public var sampleRate: Int
  /// Channels of the device.
  public var channelCount: Int
  /// How much faster than the virtual clock the device runs, in parts per million.
  public var skewPartsPerMillion: Double
  /// Longest time by which a wake-up of the device's thread is late; each is drawn evenly from 0 to this.
  public var lateness: Duration
  /// Largest error of the time that the device reports with its position, in both directions.
  public var timestampError: Duration
  /// Periods after which the device's position moves, all at once.
  public var periodsPerBurst: Int
  /// Largest error of the positions of a sound server, which drift about the true ones within seconds; zero for a
  /// device that is read directly. A server takes and gives whole periods.
  public var wander: Duration = .zero

  /// Creates a device without faults.
  public init(
    id: String, direction: AudioDirection, sampleRate: Int = 48_000, channelCount: Int = 1,
    skewPartsPerMillion: Double = 0, lateness: Duration = .zero, timestampError: Duration = .zero,
    periodsPerBurst: Int = 1
  ) {
    self.id = id
    self.direction = direction
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.skewPartsPerMillion = skewPartsPerMillion
    self.lateness = lateness
    self.timestampError = timestampError
    self.periodsPerBurst = periodsPerBurst
  }
}
