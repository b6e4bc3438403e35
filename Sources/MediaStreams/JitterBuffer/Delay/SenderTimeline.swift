/// Sender's timestamps in the receiver's time: the arrival of a sample if the network always took as long as for the
/// stream's first packet.
///
/// A packet's lateness against that is its transit; only differences of transits mean anything. The sender's clock may
/// get a rate of its own from a moment on: times up to there stay as they are. Real-time: wait-free.
struct SenderTimeline: BitwiseCopyable {
  private var originTimestamp = 0
  private var originNanoseconds = 0
  private var nanosecondsPerSample: Double
  private let nominalNanosecondsPerSample: Double
  /// Assumed excess of the sender's clock rate over nominal, in millionths.
  private(set) var ppm = 0.0

  init(sampleRate: Int) {
    nominalNanosecondsPerSample = 1e9 / Double(sampleRate)
    nanosecondsPerSample = nominalNanosecondsPerSample
  }

  /// Starts a stream: its sample `timestamp` came at `nanoseconds`, and its rate is nominal.
  @_noLocks
  mutating func begin(timestamp: Int, nanoseconds: Int) {
    originTimestamp = timestamp
    originNanoseconds = nanoseconds
    nanosecondsPerSample = nominalNanosecondsPerSample
    ppm = 0
  }

  /// Returns the time at which a sample is due without any delay, in nanoseconds.
  @_noLocks
  func nanoseconds(of timestamp: Int) -> Int {
    originNanoseconds &+ Int(Double(timestamp &- originTimestamp) * nanosecondsPerSample)
  }

  /// Returns the samples that pass at the sender in a time.
  @_noLocks
  func samples(in nanoseconds: Int) -> Int { Int(Double(nanoseconds) / nanosecondsPerSample) }

  /// Sets the clock's rate from `timestamp` on.
  @_noLocks
  mutating func setRate(ppm: Double, from timestamp: Int) {
    originNanoseconds = nanoseconds(of: timestamp)
    originTimestamp = timestamp
    nanosecondsPerSample = nominalNanosecondsPerSample / (1 + ppm * 1e-6)
    self.ppm = ppm
  }
}
