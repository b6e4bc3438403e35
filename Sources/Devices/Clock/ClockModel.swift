/// A device's clock as the tick sees it: the newest estimate of the device thread.
struct ClockModel: BitwiseCopyable {
  /// Number of the opening that the model belongs to; 0 before the first one. A jump of the sound counts as another.
  var epoch = 0
  /// Whether a device is open.
  var isOpen = false
  /// Whether a sound server estimates the positions.
  var isServer = false
  /// Rate of the device by its own clock, in Hz.
  var nominalRate = 0.0
  /// Time of the estimate, in nanoseconds.
  var time = 0
  /// Position at `time`, in samples of the ring.
  var position = 0.0
  /// Skew of the device's rate against the tick's clock.
  var skew = 0.0
  /// Variance of the estimated skew.
  var skewVariance = 0.0
  /// Position of the epoch's first sample in the ring.
  var epochStart = 0
  /// Samples per channel between two wake-ups of the device.
  var periodCount = 0
  /// Samples that the device's buffer holds at the least before a tick: a sink's target.
  var target = 0
  /// Samples per channel that the device delays beyond its buffer.
  var extraDelay = 0

  init() {}

  /// Takes the newest estimate. Thread: the device thread.
  mutating func update(from clock: DeviceClock, isOpen: Bool, extraDelay: Int) {
    self.isOpen = isOpen
    self.extraDelay = extraDelay
    time = clock.time
    position = clock.position
    skew = clock.skew
    skewVariance = clock.skewVariance
  }

  /// Returns the estimated position at a time, in samples of the ring.
  @_noLocks
  func position(atNanoseconds moment: Int) -> Double {
    position + Double(moment &- time) * 1e-9 * rate
  }

  /// Error of a sink's delay from which on its buffer is in danger, in seconds: half of the margin.
  var tolerance: Double { @_noLocks get { Double(target &- periodCount) / nominalRate / 2 } }

  /// Estimated rate, in samples per second of the tick's clock.
  var rate: Double { @_noLocks get { nominalRate * (1 + skew) } }
}
