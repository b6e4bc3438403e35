import DSP

/// Removes steady sound below every voice: traffic, wind, machines.
///
/// A high-pass at 90 Hz turns the phases of a voice's lowest tones, and costs clean speech more than 0.2 of PESQ. So it
/// fades in over a third of a second if there is more below 25 Hz than in voices, hum and quiet rooms. Otherwise it
/// fades out again.
struct RumbleFilter: ~Copyable {
  private let highPass: ButterworthFilter
  private let lowPass: ButterworthFilter
  /// State of the high-pass in each channel.
  private let highMemory: UnsafeMutablePointer<SIMD4<Double>>
  private let lowMemory: UnsafeMutablePointer<SIMD4<Double>>
  private let channelCount: Int
  /// Energy of the frame in all channels: `low` of the low-pass, `whole` of everything.
  private var low = 0.0
  private var whole = 0.0
  /// Mean of log2 over half a second: of the power below 25 Hz, and, in `meanShare`, of its share.
  private var meanLow: Float = 0
  private var meanShare: Float = 0
  private var frames: Float = 0
  /// Audible share of the high-pass at the frame's beginning and at its end.
  private var (from, to): (Float, Float) = (0, 0)

  /// Certainty of rumble, however weak, 0...1. Clean voices have less than -22 dB of everything below 25 Hz, voices 10
  /// dB above rumble more.
  var presence: Float { @_noLocks get { max(to, max(0, min(1, isKnown ? meanShare + 7.4 : 0))) } }

  /// Whether enough was heard: a word's first sounds are not rumble, and a moment does not show which sound is steady.
  private var isKnown: Bool { @_noLocks get { frames >= 50 } }

  init(sampleRate: Int, channelCount: Int) {
    highPass = ButterworthFilter(.highPass, hertz: 90, sampleRate: sampleRate)
    lowPass = ButterworthFilter(.lowPass, hertz: 25, sampleRate: sampleRate)
    self.channelCount = channelCount
    highMemory = .allocate(capacity: channelCount)
    lowMemory = .allocate(capacity: channelCount)
    highMemory.initialize(repeating: .zero, count: channelCount)
    lowMemory.initialize(repeating: .zero, count: channelCount)
  }

  deinit {
    highMemory.deallocate()
    lowMemory.deallocate()
  }

  /// Filters the newest frame, in place.
  @_noLocks
  mutating func filter(_ history: borrowing SampleHistory, count: Int) {
    (low, whole) = (0, 0)
    for channel in 0..<channelCount {
      let samples = history.plane(channel) + history.length
      measure(samples, count: count, memory: lowMemory + channel)
      if from > 0 || to > 0 { lift(samples, count: count, memory: highMemory + channel) }
    }
    judge(sampleCount: count &* channelCount)
  }

  @_noLocks
  private mutating func measure(
    _ samples: UnsafeMutablePointer<Float>, count: Int, memory: UnsafeMutablePointer<SIMD4<Double>>
  ) {
    // A copy stays in registers.
    var state = memory.pointee
    var (low, whole) = (0.0, 0.0)
    for index in 0..<count {
      let sample = Double(samples[index])
      let value = lowPass.filter(sample, &state)
      low += value * value
      whole += sample * sample
    }
    memory.pointee = state
    self.low += low
    self.whole += whole
  }

  @_noLocks
  private func lift(_ samples: UnsafeMutablePointer<Float>, count: Int, memory: UnsafeMutablePointer<SIMD4<Double>>) {
    var state = memory.pointee
    let step = (to - from) / Float(count)
    for index in 0..<count {
      let sample = samples[index]
      let value = Float(highPass.filter(Double(sample), &state))
      samples[index] = sample + (from + step * Float(index &+ 1)) * (value - sample)
    }
    memory.pointee = state
  }

  /// Decides the share of the high-pass in the next frame.
  @_noLocks
  private mutating func judge(sampleCount: Int) {
    let (power, share) = (low / Double(sampleCount), low / max(whole, 1e-30))
    // Digital silence says nothing about rumble.
    if whole > 1e-11 * Double(sampleCount) {
      frames = min(frames + 1, 50)
      meanLow += (fastLog2(Float(min(power + 1e-12, 1e12))) - meanLow) / frames
      meanShare += (fastLog2(Float(min(share + 1e-12, 1))) - meanShare) / frames
    }
    // In log2 of the power: from -58 to -52 dBFS, and from -36 to -32 dB of everything.
    let loudness = max(0, min(1, min((meanLow + 19.27) * 0.5, (meanShare + 11.96) * 0.75)))
    let target: Float = isKnown ? loudness : 0
    from = to
    to += max(-0.03, min(0.03, target - to))
    if from == 0, to == 0 { clear(highMemory) }
  }

  /// Restarts without rumble.
  @_noLocks
  mutating func reset() {
    clear(highMemory)
    clear(lowMemory)
    (meanLow, meanShare, frames) = (0, 0, 0)
    (from, to) = (0, 0)
  }

  @_noLocks
  private func clear(_ memory: UnsafeMutablePointer<SIMD4<Double>>) {
    for channel in 0..<channelCount { memory[channel] = .zero }
  }
}
