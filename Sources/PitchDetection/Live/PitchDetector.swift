public import AudioGraph

/// Says, frame by frame, which pitch a voice has: for live use.
///
/// Each estimate is that of a window of 38 ms, weighed against what came before it and the one frame that came after:
/// what it says is about the moment `delaySeconds` before the end of the frame given last, 29.7 ms.
///
/// Shape: frames of 10 ms at one sample rate, of any channel count (the channels' mean is analysed), 220 or 221
/// samples at 22.05 kHz as they come. Pitches from 60 to 620 Hz. Samples that are no number or infinite count as 0.
/// Thread: one at a time. Real-time: `process` neither locks nor allocates; see Documentation/PitchDetection.md.
/// This module links FFTW, so that a program with it is under the GPL.
/// Source: see `CandidatePicker`, `CandidateModel` and `LiveSmoother`; in short pYIN's way (candidates with
/// probabilities, then a Markov model) on McLeod's normalised difference function.
public struct PitchDetector: ~Copyable {
  /// Samples per second, in Hz.
  public let sampleRate: Int
  private var analyzer: PitchAnalyzer
  private var smoother = LiveSmoother()

  /// A detector that has heard nothing.
  ///
  /// Throws: `AudioFormatError` for a rate outside 8 to 192 kHz.
  public init(sampleRate: Int) throws(AudioFormatError) {
    analyzer = try PitchAnalyzer(sampleRate: sampleRate)
    self.sampleRate = sampleRate
  }

  /// From the moment an estimate is about to the end of the frame that it was made with, in seconds: below 0.03.
  public var delaySeconds: Double { @_noLocks get { analyzer.delaySeconds + LiveSmoother.delaySeconds } }

  /// Takes the next frame.
  ///
  /// Real-time: no lock, no allocation, time fixed by the rate.
  @_noLocks
  public mutating func process(_ frame: Frame) -> PitchEstimate {
    analyzer.analyze(frame)
    return smoother.follow(analyzer.candidates, count: analyzer.candidateCount)
  }

  /// Takes the next 10 ms of one channel.
  ///
  /// Real-time: as above.
  @_noLocks
  public mutating func process(_ samples: UnsafePointer<Float>, samplesPerChannel: Int) -> PitchEstimate {
    analyzer.analyze(samples, count: samplesPerChannel)
    return smoother.follow(analyzer.candidates, count: analyzer.candidateCount)
  }

  /// Forgets everything: what follows is as from a new detector.
  public mutating func reset() {
    analyzer.reset()
    smoother.reset()
  }
}
