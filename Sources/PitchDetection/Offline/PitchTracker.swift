public import AudioGraph

/// Tracks the pitch of a voice through a recording: a row every 10 ms.
///
/// It works as `PitchDetector`, but decides each row together with the 200 ms after it, in memory that does not grow:
///
///     frames ─▶ process ─▶ rows, 220 ms behind ─▶ finish, until nil ─▶ the last rows
///
/// Shape: frames of 10 ms at one sample rate, of any channel count. A row's time is the middle of the analyzed window.
/// Rows are 10 ms apart (a sample more or less if the rate's frames alternate). The first row is within the first 10
/// ms, the last within the last.
/// Thread: one at a time. Real-time: only `init` allocates.
/// This module links FFTW, so that a program with it is under the GPL.
/// Source: see `PitchDetector` and `FixedLagSmoother`.
public struct PitchTracker: ~Copyable {
  /// Sample rate, in Hz.
  public let sampleRate: Int
  private var analyzer: PitchAnalyzer
  private var smoother = FixedLagSmoother()
  /// Samples per channel so far, including the silence that `finish` adds.
  private var position = 0
  /// Samples per channel of the recording; nil until `finish`.
  private var end: Int?
  private let silence: UnsafeMutablePointer<Float>

  /// Creates a tracker in its initial state.
  ///
  /// - Parameter sampleRate: sample rate of the frames, in Hz.
  /// - Throws: `AudioFormatError` for a rate outside 8 to 192 kHz.
  public init(sampleRate: Int) throws(AudioFormatError) {
    analyzer = try PitchAnalyzer(sampleRate: sampleRate)
    self.sampleRate = sampleRate
    silence = .allocate(capacity: analyzer.maximumSamplesPerChannel)
    silence.initialize(repeating: 0, count: analyzer.maximumSamplesPerChannel)
  }

  deinit { silence.deallocate() }

  /// Takes the next frame.
  ///
  /// - Parameter frame: frame of any channel count.
  /// - Returns: a row, or nil until enough frames have come.
  @_noLocks
  public mutating func process(_ frame: Frame) -> PitchPoint? {
    precondition(end == nil, "the recording has ended: reset the tracker")
    analyzer.analyze(frame)
    return advance(frame.samplesPerChannel)
  }

  /// Takes the next 10 ms of one channel.
  ///
  /// - Parameters:
  ///   - samples: samples of the channel.
  ///   - samplesPerChannel: number of samples.
  /// - Returns: a row, or nil until enough samples have come.
  @_noLocks
  public mutating func process(_ samples: UnsafePointer<Float>, samplesPerChannel: Int) -> PitchPoint? {
    precondition(end == nil, "the recording has ended: reset the tracker")
    analyzer.analyze(samples, count: samplesPerChannel)
    return advance(samplesPerChannel)
  }

  /// Ends the recording. Call it until it returns nil.
  ///
  /// - Returns: one of the remaining rows; nil if there are no more.
  @_noLocks
  public mutating func finish() -> PitchPoint? {
    let last = end ?? position
    end = last
    // Silence moves the window's middle to the recording's end.
    let count = sampleRate / 100
    while Double(position &+ count) - analyzer.delaySeconds * Double(sampleRate) < Double(last) {
      analyzer.analyze(silence, count: count)
      if let point = advance(count) { return point }
    }
    return smoother.pop()
  }

  /// Returns to the state of a new tracker.
  public mutating func reset() {
    analyzer.reset()
    smoother.reset()
    position = 0
    end = nil
  }

  @_noLocks
  private mutating func advance(_ count: Int) -> PitchPoint? {
    position = position &+ count
    let seconds = Double(position) / Double(sampleRate) - analyzer.delaySeconds
    // A window with its middle before the first sample describes nothing.
    if seconds < 0 { return nil }
    smoother.push(analyzer.candidates, count: analyzer.candidateCount, seconds: seconds)
    return smoother.isFull ? smoother.pop() : nil
  }
}
