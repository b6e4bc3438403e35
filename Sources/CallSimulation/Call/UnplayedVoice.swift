/// Follows what is lost of a voice while its listener has no stream of it, so that a receiver knows of no loss: before
/// the first packet has come, and once a stream that did not come any more counts as ended.
struct UnplayedVoice {
  private static let samplesPerTick = 480
  /// Silence in which a voice is frozen begins after 200 ms without a packet.
  private static let freezingSamples = 9_600

  /// Samples in which something was lost and nobody could know.
  private(set) var samples = 0
  /// Those of them in which the voice was frozen.
  private(set) var frozenSamples = 0
  /// Times that this began with nothing heard before it.
  private(set) var eventCount = 0
  /// Samples of lost packets whose time has not passed yet.
  private var waiting = 0
  /// Samples since the listener last had something of the voice, or of its concealment.
  private var run = 0
  private var quietTicks = 0
  private var hasStream = false
  /// Whether a packet is on its way that begins a stream: what is lost behind it, the receiver will find missing.
  private var isOneUnderWay = false

  /// A packet with sound was sent.
  mutating func note(sampleCount: Int, isLost: Bool) {
    guard isLost else {
      isOneUnderWay = true
      return
    }
    if !hasStream, !isOneUnderWay { waiting += sampleCount }
  }

  /// A packet has come.
  mutating func arrive() { isOneUnderWay = false }

  /// A tick has passed, at whose end the listener has a stream or none.
  mutating func advance(hasStream: Bool) {
    if hasStream {
      waiting = 0
      run = 0
      quietTicks = 0
    } else {
      // What was frozen before it ended stays so.
      if self.hasStream { run = Self.freezingSamples }
      let passed = min(waiting, Self.samplesPerTick)
      if passed > 0, run == 0 { eventCount += 1 }
      waiting -= passed
      samples += passed
      frozenSamples += max(0, min(passed, run + passed - Self.freezingSamples))
      run += passed
      quietTicks = passed == 0 ? quietTicks + 1 : 0
      // The sender has paused: what is lost next begins anew.
      if quietTicks > Self.freezingSamples / Self.samplesPerTick { run = 0 }
    }
    self.hasStream = hasStream
  }
}
