import AudioGraph

/// Lengths of a voice-only mode at one sample rate.
///
/// They were chosen by PESQ (ITU-T P.862.2) of recorded speech in the noise of keyboards and fans;
/// Tests/Comparisons/voice-only repeats that.
struct VoiceOnlyTuning: BitwiseCopyable {
  let sampleRate: Int
  /// Samples from one window to the next: 4 ms.
  let hop: Int
  /// Samples of a window: 16 ms. Shorter ones blur a fan's hum, longer ones a keystroke.
  let window: Int
  /// Samples of the transform: the window and zeros behind it.
  let length: Int
  /// Windows after the one that is classified: 40 ms, in which a keystroke is over and a vowel is not.
  let lookAhead = 10
  /// Latency from input to output, in samples.
  let delay: Int

  init(sampleRate: Int) {
    self.sampleRate = sampleRate
    hop = (sampleRate + 125) / 250
    window = 4 * hop
    var length = 32
    while length < window { length *= 2 }
    self.length = length
    // A frame ends anywhere in a hop, but only as far from its end as frames and hops allow.
    func divisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : divisor(b, a % b) }
    let frame = FrameSchedule.framesPerSecond
    let common = sampleRate % frame == 0 ? divisor(sampleRate / frame, hop) : 1
    delay = (lookAhead + 3) * hop + hop - common
  }

  /// Bins of a spectrum below half the sample rate. There is one more, at half the rate.
  var binCount: Int { length / 2 }

  /// Seconds from one window to the next.
  var hopSeconds: Double { Double(hop) / Double(sampleRate) }

  /// Windows in a number of seconds.
  func hops(_ seconds: Double) -> Int { Int((seconds / hopSeconds).rounded()) }

  /// Returns the bins of a band in Hz, as a first bin and blocks of eight; at most up to 0.45 of the sample rate.
  func band(_ low: Double, _ high: Double) -> BinBand {
    let perHertz = Double(length) / Double(sampleRate)
    let top = min(high, 0.45 * Double(sampleRate)) * perHertz
    let first = Int((low * perHertz).rounded())
    return BinBand(first: first, blockCount: max(1, Int(((top - Double(first)) / 8).rounded())))
  }
}

/// Neighbouring bins of a spectrum, in blocks of eight.
struct BinBand: BitwiseCopyable {
  let first: Int
  let blockCount: Int
  var count: Float { @_noLocks get { Float(8 &* blockCount) } }
}
