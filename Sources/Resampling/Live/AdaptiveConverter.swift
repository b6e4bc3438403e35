import AudioGraph

/// Converts live audio at a ratio that moves: between two clocks that drift against each other.
///
/// The caller decides how many samples go in and how many are taken out. Output k of a start lies at input position
/// k / ratio, exactly, whatever the chunks. While the ratio is exactly 1 and outputs lie at input samples, the samples
/// are copied, with the same delay: clocks that agree cost no filter. `restingStep` leads there.
///
/// Shape: interleaved Float32, 1 to 8 channels; every count is samples per channel.
/// Thread: made on the control thread, used by one thread at a time.
/// Real-time: all calls but init are wait-free.
package struct AdaptiveConverter: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): owned by one value that cannot be copied; every mutation needs exclusive access.

  /// Input samples beyond an output's position that the filter needs, at ratios of 1 and more.
  package let lookAhead: Int
  /// Channels of input and output.
  package let channelCount: Int
  /// Largest deviation of a step that leads to the next input sample, from 1.
  private static let restLimit = 10e-6
  /// Distance from an input sample that is taken for none, in samples.
  private static let exactness = 1e-6

  private let library: SincConverter
  private var ratio: Double
  /// Input samples that have been taken beyond the position of the next output.
  private var lag = 0.0
  private var isCopying = false
  /// The newest input samples, the oldest first: both wings of the filter.
  private let history: UnsafeMutablePointer<Float>
  private let historyCount: Int
  /// Outputs that are dropped when the library takes over from copying; `dropCount` of them are yet to come.
  private let dropped: UnsafeMutablePointer<Float>
  private var dropCount = 0

  /// Creates a converter with a ratio of 1.
  ///
  /// - Throws: `ResamplingError` for another channel count, or no memory.
  package init(channelCount: Int, quality: SincQuality) throws(ResamplingError) {
    guard AudioFormat.channelCounts.contains(channelCount) else { throw .unsupportedChannelCount(channelCount) }
    let library = try SincConverter(ratio: 1, channelCount: channelCount, quality: quality)
    self.library = library
    self.channelCount = channelCount
    lookAhead = library.lookAhead()
    ratio = 1
    // A few samples more than both wings, for the library rounds their length.
    historyCount = 2 * lookAhead + 4
    history = .allocate(capacity: historyCount * channelCount)
    history.initialize(repeating: 0, count: historyCount * channelCount)
    dropped = .allocate(capacity: historyCount * channelCount)
    dropped.initialize(repeating: 0, count: historyCount * channelCount)
  }

  deinit {
    library.delete()
    history.deallocate()
    dropped.deallocate()
  }

  /// Returns the input samples an output, near 1, that lead to outputs at input samples: exactly 1 once they are there.
  ///
  /// - Parameter count: Outputs for which the step holds.
  @_noLocks
  package func restingStep(count: Int) -> Double {
    let phase = Self.phase(lag)
    if phase < Self.exactness, phase > -Self.exactness { return 1 }
    return 1 + max(-Self.restLimit, min(Self.restLimit, phase / Double(count)))
  }

  /// Sets the ratio of output rate to input rate for the samples from now on, 1/256 to 256.
  @_noLocks
  package mutating func setRatio(_ ratio: Double) {
    self.ratio = ratio
    library.setRatio(ratio)
  }

  /// Forgets all input: the next output lies at the first sample of the next input.
  @_noLocks
  package mutating func reset() {
    library.reset()
    library.setRatio(ratio)
    for index in 0..<historyCount &* channelCount { history[index] = 0 }
    (lag, isCopying, dropCount) = (0, false, 0)
  }

  /// Takes input and gives output, as far as both reach.
  ///
  /// - Returns: Samples taken and given. Taken samples without an output wait in the library.
  @_noLocks
  package mutating func convert(
    _ input: UnsafePointer<Float>, inputCount: Int, output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> (taken: Int, given: Int) {
    let phase = Self.phase(lag)
    let copies =
      ratio == 1 && phase < Self.exactness && phase > -Self.exactness && lag < Double(historyCount &- lookAhead)
    if copies {
      lag -= phase
    } else if isCopying {
      prime()
    }
    isCopying = copies
    let result =
      copies
      ? copy(input, inputCount: inputCount, output: output, capacity: capacity)
      : filter(input, inputCount: inputCount, output: output, capacity: capacity)
    lag += Double(result.taken) - Double(result.given) / ratio
    remember(input, result.taken)
    return result
  }

  /// Gives the input as it is, as late as the filter would.
  @_noLocks
  private func copy(
    _ input: UnsafePointer<Float>, inputCount: Int, output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> (taken: Int, given: Int) {
    let waiting = Int(lag)
    let given = max(0, min(capacity, inputCount &+ waiting &- lookAhead))
    let taken = max(0, min(inputCount, capacity &+ lookAhead &- waiting))
    let old = min(given, waiting)
    let oldest = history + (historyCount &- waiting) &* channelCount
    copySamples(from: oldest, to: output, count: old &* channelCount)
    copySamples(from: input, to: output + old &* channelCount, count: (given &- old) &* channelCount)
    return (taken, given)
  }

  @_noLocks
  private mutating func filter(
    _ input: UnsafePointer<Float>, inputCount: Int, output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> (taken: Int, given: Int) {
    var taken = 0
    if dropCount > 0 {
      let early = library.convert(input, inputCount: inputCount, output: dropped, capacity: dropCount, ratio: ratio)
      dropCount &-= early.given
      taken = early.taken
      if dropCount > 0 { return (taken, 0) }
    }
    let rest = library.convert(
      input + taken &* channelCount, inputCount: inputCount &- taken, output: output, capacity: capacity, ratio: ratio)
    return (taken &+ rest.taken, rest.given)
  }

  /// Fills the library's filter, so that its next output continues the copied ones.
  @_noLocks
  private mutating func prime() {
    library.reset()
    library.setRatio(1)
    let count = min(historyCount, Int(lag) &+ lookAhead &+ 1)
    let first = history + (historyCount &- count) &* channelCount
    dropCount = lookAhead &+ 1
    dropCount &-= library.convert(first, inputCount: count, output: dropped, capacity: dropCount, ratio: 1).given
    library.setRatio(ratio)
  }

  @_noLocks
  private func remember(_ input: UnsafePointer<Float>, _ count: Int) {
    let kept = max(0, historyCount &- count) &* channelCount
    let all = historyCount &* channelCount
    moveSamples(from: history + (all &- kept), to: history, count: kept)
    copySamples(from: input + max(0, count &- historyCount) &* channelCount, to: history + kept, count: all &- kept)
  }

  /// Returns the distance from the next output to the nearest input sample, in samples.
  @_noLocks
  private static func phase(_ lag: Double) -> Double {
    // The next output lies `lag` before a sample.
    let whole = Int(lag + 0.5)
    return lag - Double(whole)
  }
}
