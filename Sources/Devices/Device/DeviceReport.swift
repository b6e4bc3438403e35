/// Figures of a device source or sink since it began.
public struct DeviceReport: Hashable, Sendable {
  /// Rate of the device by its own clock, in Hz; 0 while no device is open.
  public var sampleRate = 0
  /// How much faster the device's clock runs than the pipeline's, in parts per million; 0 while it is unknown.
  public var skewPartsPerMillion = 0.0
  /// Delay between the device's converter and the tick, in nanoseconds, as far as the device reports its own part. It
  /// includes the device's buffer and the conversion.
  public var delayNanoseconds = 0
  /// Number of times that the device's own buffer ran over or empty.
  public var xrunCount = 0
  /// Number of times that sound was not there in time.
  public var underrunCount = 0
  /// Samples per channel that became silence in place of missing ones, at the rate of the frames (source) or of the
  /// device (sink).
  public var insertedSampleCount = 0
  /// Samples per channel that were left out to keep the delay, at the device's rate.
  public var droppedSampleCount = 0
  /// Samples per channel that the device has captured or played since it was ready. A sound server takes a third of a
  /// second for that, and some stall for a second or two before.
  public var movedSampleCount = 0
  /// Number of times that a device was opened.
  public var openCount = 0
  /// Number of times that a device in use has gone: it was pulled out, or its sound server ended.
  public var lossCount = 0
}
