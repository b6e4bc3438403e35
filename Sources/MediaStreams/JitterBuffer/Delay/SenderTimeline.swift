/// The sender's timestamps in the receiver's time: when a sample would have come if the network took as long as it did
/// for the stream's first packet.
///
/// What a packet comes later than that is its transit; only differences of transits mean anything. The sender's clock
/// may be given a rate of its own, from a moment on: times up to there stay as they are.
/// Real-time: wait-free.
struct SenderTimeline: BitwiseCopyable {
  private var originTimestamp = 0
  private var originNanoseconds = 0
  private var nanosecondsPerSample: Double
  private let nominalNanosecondsPerSample: Double
  /// How much faster than nominal the sender's clock is taken to run, in millionths.
  private(set) var ppm = 0.0

  init(sampleRate: Int) {
    nominalNanosecondsPerSample = 1e9 / Double(sampleRate)
    nanosecondsPerSample = nominalNanosecondsPerSample
  }

  /// Begins a stream whose sample `timestamp` came at `nanoseconds`; its rate is nominal.
  @_noLocks
  mutating func begin(timestamp: Int, nanoseconds: Int) {
    originTimestamp = timestamp
    originNanoseconds = nanoseconds
    nanosecondsPerSample = nominalNanosecondsPerSample
    ppm = 0
  }

  /// When a sample is due without any delay.
  @_noLocks
  func nanoseconds(of timestamp: Int) -> Int {
    originNanoseconds &+ Int(Double(timestamp &- originTimestamp) * nanosecondsPerSample)
  }

  /// Samples that pass at the sender in a time.
  @_noLocks
  func samples(in nanoseconds: Int) -> Int { Int(Double(nanoseconds) / nanosecondsPerSample) }

  /// Lets the clock run at another rate from `timestamp` on.
  @_noLocks
  mutating func setRate(ppm: Double, from timestamp: Int) {
    originNanoseconds = nanoseconds(of: timestamp)
    originTimestamp = timestamp
    nanosecondsPerSample = nominalNanosecondsPerSample / (1 + ppm * 1e-6)
    self.ppm = ppm
  }
}
