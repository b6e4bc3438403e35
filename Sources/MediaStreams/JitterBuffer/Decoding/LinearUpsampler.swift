import DSP

/// Converts the samples of packets to 48 kHz, at places that follow from their timestamps.
///
/// A packet gives as many samples as its time span has, 32 of its own samples late: 4 ms at 8 kHz. Behind a gap, a
/// packet begins as if its own mirror image came before it, and so without a step.
///
/// Source: the windowed sincs of `SincBank`. Sound passes up to 43 % of the packets' sample rate, and images from 52 %
/// on are damped by 74 dB. Real-time: wait-free. All memory is allocated in `init`.
struct LinearUpsampler: ~Copyable {
  /// Samples that are read on either side of a position.
  static var half: Int { @_noLocks get { 32 } }
  private static var tapCount: Int { @_noLocks get { 64 } }
  /// Samples per channel before those of a packet: the taps of its first sample, and one more.
  private static var historyCount: Int { @_noLocks get { 72 } }
  /// Most samples per channel of a packet.
  private static var longestPacket: Int { @_noLocks get { 11_520 } }
  /// Frequency at which the filter has fallen by 6 dB, as a fraction of half the sample rate.
  private static let cutoff = 0.94

  let channelCount: Int
  private let clock: StreamClock
  private let rows: UnsafeMutablePointer<Float>
  private let planes: UnsafeMutablePointer<Float>
  private let capacity: Int

  /// Creates a converter for `channelCount` channels of a clock other than 48 kHz.
  init(_ clock: StreamClock, channelCount: Int) {
    self.clock = clock
    self.channelCount = channelCount
    rows = .allocate(capacity: LinearUpsampler.tapCount * clock.samplesPerCycle)
    for phase in 0..<clock.samplesPerCycle {
      let fraction = Double(phase) / Double(clock.samplesPerCycle)
      let taps = SincBank.kernel(count: LinearUpsampler.tapCount, fraction: fraction, cutoff: LinearUpsampler.cutoff)
      for (index, tap) in taps.enumerated() {
        (rows + phase * LinearUpsampler.tapCount + index).initialize(to: Float(tap))
      }
    }
    capacity = LinearUpsampler.historyCount + LinearUpsampler.longestPacket
    planes = .allocate(capacity: capacity * channelCount)
    planes.initialize(repeating: 0, count: capacity * channelCount)
  }

  deinit {
    rows.deallocate()
    planes.deallocate()
  }

  /// Returns the memory for a channel of the packet that is converted next.
  @_noLocks
  func input(_ channel: Int) -> UnsafeMutablePointer<Float> {
    planes + (channel &* capacity &+ LinearUpsampler.historyCount)
  }

  /// Converts the packet in `input`.
  ///
  /// - Parameters:
  ///   - inputCount: samples per channel of the packet.
  ///   - timestamp: timestamp of the packet, in samples of 48 kHz.
  ///   - count: samples per channel of 48 kHz that the packet stands for.
  ///   - isContinuous: whether the packet follows the one before.
  ///   - output: memory for the samples, in which channels are interleaved.
  @_noLocks
  mutating func convert(
    _ inputCount: Int, at timestamp: Int, count: Int, isContinuous: Bool, into output: UnsafeMutablePointer<Float>
  ) {
    let (down, up) = (clock.perCycle, clock.samplesPerCycle)
    // The packet's first sample begins less than a sample of 48 kHz later than the first output.
    let lead = (timestamp &* down) % up
    let start = lead == 0 ? 0 : lead &- up
    for channel in 0..<channelCount {
      let samples = input(channel)
      if !isContinuous { mirror(samples, inputCount) }
      var (index, phase) = start < 0 ? (-1, start &+ up) : (0, start)
      for place in 0..<count {
        let first = UnsafeRawPointer(samples + (index &- LinearUpsampler.tapCount &+ 1))
        let row = UnsafeRawPointer(rows + phase &* LinearUpsampler.tapCount)
        var sum = SIMD8<Float>(repeating: 0)
        for block in 0..<8 {
          sum +=
            first.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self)
            * row.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self)
        }
        output[place &* channelCount &+ channel] = sum.total
        phase &+= down
        if phase >= up { (phase, index) = (phase &- up, index &+ 1) }
      }
      for past in 0..<LinearUpsampler.historyCount {
        samples[past &- LinearUpsampler.historyCount] = samples[inputCount &- LinearUpsampler.historyCount &+ past]
      }
    }
  }

  /// Forgets all samples.
  @_noLocks
  mutating func reset() { for index in 0..<(capacity &* channelCount) { planes[index] = 0 } }

  /// Writes the mirror image of a packet before it; a short packet is reflected again.
  @_noLocks
  private func mirror(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    for past in 0..<LinearUpsampler.historyCount {
      let place = past % (2 &* count)
      samples[-1 &- past] = samples[place < count ? place : 2 &* count &- 1 &- place]
    }
  }
}
