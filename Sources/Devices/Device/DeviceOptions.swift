/// Settings of a device source or sink.
public struct DeviceOptions: Hashable, Sendable {
  /// Conversion between the device's clock and the pipeline's.
  public enum Quality: Hashable, Sendable {
    /// Signal to noise above 90 dB, 80 % of the bandwidth, and the least work.
    case fast
    /// Signal to noise above 110 dB, 90 % of the bandwidth, and twice the work.
    case high
  }

  /// Time between two wake-ups of the device, 2 to 100 ms; a device takes the nearest that it offers.
  public var period: Duration
  /// Time by which the device's thread and the pipeline's ticks may be late without an interruption, 1 to 500 ms.
  public var margin: Duration
  /// Quality of the conversion.
  public var quality: Quality
  /// Whether the system's default device takes the place of a chosen one that is gone, until it returns.
  public var fallsBack: Bool

  /// Creates settings.
  public init(
    period: Duration = .milliseconds(10), margin: Duration = .milliseconds(10), quality: Quality = .high,
    fallsBack: Bool = true
  ) {
    self.period = period
    self.margin = margin
    self.quality = quality
    self.fallsBack = fallsBack
  }
}
