import AudioGraph
import DSP

/// Divides a sound into what is slower than any voice and the rest, and remembers the whole.
struct SubsonicBypass: ~Copyable {
  private let lowPass: ButterworthFilter
  /// Of each channel.
  private let memory: UnsafeMutablePointer<SIMD4<Double>>
  private let channelCount: Int
  private let length: Int
  private var planes: SlidingPlanes

  init(sampleRate: Int, channelCount: Int, length: Int, maximumCount: Int) {
    lowPass = ButterworthFilter(.lowPass, hertz: 20, sampleRate: sampleRate)
    self.channelCount = channelCount
    self.length = length
    memory = .allocate(capacity: channelCount)
    memory.initialize(repeating: .zero, count: channelCount)
    planes = SlidingPlanes(length: length, channelCount: channelCount, maximumCount: maximumCount)
  }

  deinit { memory.deallocate() }

  /// All samples of a channel as they came, at the positions of the history.
  @_noLocks
  func whole(_ channel: Int) -> UnsafeMutablePointer<Float> { planes.plane(channel) }

  /// Remembers the newest frame, and leaves in the history what is fast.
  @_noLocks
  func split(_ history: borrowing SampleHistory, count: Int) {
    for channel in 0..<channelCount {
      let samples = history.plane(channel) + length
      copySamples(from: samples, to: whole(channel) + length, count: count)
      // In a copy, which stays in registers.
      var state = memory[channel]
      for index in 0..<count {
        // What is far beyond full scale is a fault, and would ring for long.
        let input = max(-16, min(16, samples[index]))
        samples[index] -= Float(lowPass.filter(Double(input), &state))
      }
      memory[channel] = state
    }
  }

  /// Looks at a frame of `count` samples that it has split. Returns: whether it and the whole past came as zeros.
  @_noLocks
  mutating func noteSilence(count: Int) -> Bool { planes.noteSilence(count: count) }

  /// Lets a frame of `count` samples become the past.
  @_noLocks
  mutating func pass(count: Int) { planes.pass(count: count) }

  /// Begins anew.
  @_noLocks
  func reset() {
    for channel in 0..<channelCount { memory[channel] = .zero }
  }
}
