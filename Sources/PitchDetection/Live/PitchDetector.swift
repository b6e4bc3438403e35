public import AudioGraph

/// Estimates the pitch of a voice frame by frame, for live use.
///
/// Each estimate belongs to a window of 38 ms, and takes into account the windows before it and the one frame after it.
/// It describes the moment `delaySeconds`, 29.7 ms, before the end of the newest frame.
///
/// Shape: frames of 10 ms at one sample rate, of any channel count (the channels' mean is analyzed). At 22.05 kHz,
/// frames have 220 or 221 samples as they come. Pitches from 60 to 1100 Hz. NaN and infinite samples count as 0.
/// Thread: one at a time. Real-time: `process` neither locks nor allocates; see Documentation/PitchDetection.md.
/// This module links FFTW, so that a program with it is under the GPL.
/// Source: see `CandidatePicker`, `CandidateModel` and `LiveSmoother`. In short, it is the method of pYIN (candidates
/// with probabilities, then a Markov model) on McLeod's normalized difference function.
///
/// ```swift
/// var detector = try PitchDetector(sampleRate: 48_000)
/// let samples = [Float](repeating: 0, count: 480)
/// samples.withUnsafeBufferPointer {
///   print(detector.process($0.baseAddress!, samplesPerChannel: 480).hertz)
/// }
/// ```
public struct PitchDetector: ~Copyable {
  /// Sample rate, in Hz.
  public let sampleRate: Int
  private var analyzer: PitchAnalyzer
  private var smoother = LiveSmoother()

  /// Creates a detector in its initial state.
  ///
  /// - Parameter sampleRate: sample rate of the frames, in Hz.
  /// - Throws: `AudioFormatError` for a rate outside 8 to 192 kHz.
  public init(sampleRate: Int) throws(AudioFormatError) {
    analyzer = try PitchAnalyzer(sampleRate: sampleRate)
    self.sampleRate = sampleRate
  }

  /// Time from the moment that an estimate describes to the end of the newest frame, in seconds: below 0.03.
  public var delaySeconds: Double { @_noLocks get { analyzer.delaySeconds + LiveSmoother.delaySeconds } }

  /// Takes the next frame, and returns the newest estimate.
  ///
  /// Real-time: no lock, no allocation, time fixed by the rate.
  @_noLocks
  public mutating func process(_ frame: Frame) -> PitchEstimate {
    analyzer.analyze(frame)
    return smoother.follow(analyzer.candidates, count: analyzer.candidateCount)
  }

  /// Takes the next 10 ms of one channel, and returns the newest estimate.
  ///
  /// Real-time: no lock, no allocation, time fixed by the rate.
  @_noLocks
  public mutating func process(_ samples: UnsafePointer<Float>, samplesPerChannel: Int) -> PitchEstimate {
    analyzer.analyze(samples, count: samplesPerChannel)
    return smoother.follow(analyzer.candidates, count: analyzer.candidateCount)
  }

  /// Returns to the state of a new detector.
  public mutating func reset() {
    analyzer.reset()
    smoother.reset()
  }
}
