import AudioGraph
import DSP

/// Divides a sound into the part slower than any voice and the rest, and stores the whole.
struct SubsonicBypass: ~Copyable {
  private let lowPass: ButterworthFilter
  /// Filter state of each channel.
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

  /// Returns all samples of a channel as they came, at the positions of the history.
  @_noLocks
  func whole(_ channel: Int) -> UnsafeMutablePointer<Float> { planes.plane(channel) }

  /// Stores the newest frame, and leaves its fast part in the history.
  @_noLocks
  func split(_ history: borrowing SampleHistory, count: Int) {
    for channel in 0..<channelCount {
      let samples = history.plane(channel) + length
      copySamples(from: samples, to: whole(channel) + length, count: count)
      // In a copy, which stays in registers.
      var state = memory[channel]
      for index in 0..<count {
        // A sample far beyond full scale is a fault, and would ring for long.
        let input = max(-16, min(16, samples[index]))
        samples[index] -= Float(lowPass.filter(Double(input), &state))
      }
      memory[channel] = state
    }
  }

  /// Checks a frame of `count` samples that has been split.
  ///
  /// - Returns: Whether the frame and the whole past came as zeros.
  @_noLocks
  mutating func noteSilence(count: Int) -> Bool { planes.noteSilence(count: count) }

  /// Moves a frame of `count` samples into the past.
  @_noLocks
  mutating func pass(count: Int) { planes.pass(count: count) }

  /// Restarts the filters.
  @_noLocks
  func reset() {
    for channel in 0..<channelCount { memory[channel] = .zero }
  }
}
