/// Counts losses of a voice while its listener has no stream of it, so that the receiver knows of no loss. That is
/// before the first packet arrives, and after a stream without further packets counts as ended.
struct UnplayedVoice {
  private static let samplesPerTick = 480
  /// Silence without a packet after which a voice is frozen, in samples: 200 ms.
  private static let freezingSamples = 9_600

  /// Lost samples that no receiver could know of.
  private(set) var samples = 0
  /// Part of `samples` in which the voice was frozen.
  private(set) var frozenSamples = 0
  /// Number of such losses with nothing heard before them.
  private(set) var eventCount = 0
  /// Samples of lost packets that are not due yet.
  private var waiting = 0
  /// Samples since the listener last heard the voice or its concealment.
  private var run = 0
  private var quietTicks = 0
  private var hasStream = false
  /// Whether a packet that starts a stream is under way; the receiver detects losses after it.
  private var isOneUnderWay = false

  /// Notes a sent packet with sound.
  mutating func note(sampleCount: Int, isLost: Bool) {
    guard isLost else {
      isOneUnderWay = true
      return
    }
    if !hasStream, !isOneUnderWay { waiting += sampleCount }
  }

  /// Notes a packet that has arrived.
  mutating func arrive() { isOneUnderWay = false }

  /// Advances by one tick; `hasStream` is the state at its end.
  mutating func advance(hasStream: Bool) {
    if hasStream {
      waiting = 0
      run = 0
      quietTicks = 0
    } else {
      // A voice frozen before its stream ended stays frozen.
      if self.hasStream { run = Self.freezingSamples }
      let passed = min(waiting, Self.samplesPerTick)
      if passed > 0, run == 0 { eventCount += 1 }
      waiting -= passed
      samples += passed
      frozenSamples += max(0, min(passed, run + passed - Self.freezingSamples))
      run += passed
      quietTicks = passed == 0 ? quietTicks + 1 : 0
      // The sender has paused: the next loss is a new one.
      if quietTicks > Self.freezingSamples / Self.samplesPerTick { run = 0 }
    }
    self.hasStream = hasStream
  }
}
