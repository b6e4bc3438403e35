import AudioGraph

/// Converts live audio from one sample rate to another and gives exactly the right number of samples at every call.
///
/// ```
/// push ──▶ library ──▶ FIFO, prefilled with `delay` zeros ──▶ pull
/// ```
/// A library gives its first samples late and then irregularly. The FIFO begins with as many zeros as the library can
/// ever lag behind. Each call thus finds all the samples that are due by `PhaseCounter`.
///
/// Shape: interleaved Float32, 1 to 8 channels, 8 to 192 kHz; every count is samples per channel.
/// Thread: made and reset on the control thread (takes milliseconds), used by one thread at a time.
/// Real-time: `process`, `push` and `pull` are wait-free; all memory is allocated by init.
public struct RateConverter: ~Copyable {
  /// Rate of the input, in Hz.
  public let inputRate: Int
  /// Rate of the output, in Hz.
  public let outputRate: Int
  /// Channels of input and output.
  public let channelCount: Int
  /// The most samples per channel that one call takes.
  public let maximumInputCount: Int
  /// Output samples per channel by which the output lags behind the input; so many zeros come first.
  public let delay: Int
  /// Output samples that may be pulled ahead of floor(in x L / M); part of `delay`.
  public let lead: Int
  /// Zeros given because the library lagged further behind than measured; 0 unless the library breaks its bound.
  public private(set) var insertedCount = 0

  private let deficit: Int
  private var counter: PhaseCounter
  private var pulled = 0
  private var engine: Engine
  private let fifo: UnsafeMutablePointer<Float>
  private let capacity: Int
  private var held: Int

  private enum Engine: BitwiseCopyable {
    case copy
    case sinc(SincConverter)
    case block(BlockConverter)
  }

  /// Creates a converter that is ready for its first live call.
  ///
  /// - Parameters:
  ///   - inputRate: Rate of the input, in Hz.
  ///   - outputRate: Rate of the output, in Hz.
  ///   - channelCount: Channels of input and output.
  ///   - quality: The saving, delay or work; equal rates are copied in any quality.
  ///   - maximumInputCount: Largest number of samples per channel that one call will bring.
  ///   - lead: Number of output samples that `pull` may request ahead of the due ones: see `returnLead`.
  ///   - wholeInputDelay: Whether the delay is rounded up to a whole number of input samples, for sums of signals from
  ///     different paths.
  /// - Throws: `ResamplingError` for a rate outside 8 to 192 kHz, another channel count, or no memory.
  public init(
    from inputRate: Int, to outputRate: Int, channelCount: Int, quality: ConversionQuality,
    maximumInputCount: Int, lead: Int = 0, wholeInputDelay: Bool = false
  ) throws(ResamplingError) {
    try checkConversion(from: inputRate, to: outputRate, channelCount: channelCount)
    precondition(maximumInputCount > 0 && lead >= 0, "a call must bring samples; a lead is not negative")
    let counter = PhaseCounter(from: inputRate, to: outputRate)
    (engine, deficit) = try Self.makeEngine(counter, inputRate, outputRate, channelCount, quality)
    let grid = wholeInputDelay ? counter.outputPerCycle : 1
    delay = (deficit + lead + grid - 1) / grid * grid
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    self.maximumInputCount = maximumInputCount
    self.lead = lead
    self.counter = counter
    // Capacity for the longest call, and for one more that was pushed but not yet pulled.
    capacity = delay + 2 * counter.maximumOutputCount(forInput: maximumInputCount) + 2
    fifo = .allocate(capacity: capacity * channelCount)
    fifo.initialize(repeating: 0, count: capacity * channelCount)
    held = delay
    primeBlockConverter()
  }

  deinit {
    switch engine {
    case .copy: break
    case .sinc(let converter): converter.delete()
    case .block(let converter): converter.delete()
    }
    fifo.deallocate()
  }

  /// Takes `inputCount` samples and returns the number of samples given: exactly that of `PhaseCounter`.
  ///
  /// `output` may be the same memory as `input`.
  @_noLocks
  public mutating func process(
    _ input: UnsafePointer<Float>, inputCount: Int, output: UnsafeMutablePointer<Float>
  ) -> Int {
    let before = counter.outputTotal
    if delay == 0, held == 0 {
      // Only equal rates have no delay.
      precondition(inputCount >= 0 && inputCount <= maximumInputCount, "more input than maximumInputCount")
      copySamples(from: input, to: output, count: inputCount &* channelCount)
      let count = counter.outputCount(forInput: inputCount)
      pulled &+= count
      return count
    }
    push(input, inputCount: inputCount)
    let count = counter.outputTotal &- before
    pull(into: output, outputCount: count)
    return count
  }

  /// Takes `inputCount` samples, at most `maximumInputCount`; a later `pull` collects their output.
  ///
  /// The output of at most two calls may wait for a pull.
  @_noLocks
  public mutating func push(_ input: UnsafePointer<Float>, inputCount: Int) {
    precondition(inputCount >= 0 && inputCount <= maximumInputCount, "more input than maximumInputCount")
    if inputCount == 0 { return }
    let due = counter.outputCount(forInput: inputCount)
    precondition(counter.outputTotal &- pulled &+ delay <= capacity, "too much was pushed and not pulled")
    let target = fifo + held &* channelCount
    let room = capacity &- held
    switch engine {
    case .copy:
      copySamples(from: input, to: target, count: inputCount &* channelCount)
      held &+= due
    case .sinc(let converter):
      held &+= converter.convert(input, inputCount: inputCount, output: target, capacity: room)
    case .block(let converter):
      held &+= converter.convert(input, inputCount: inputCount, output: target, capacity: room)
    }
  }

  /// Gives exactly `outputCount` samples, at most those due for the input so far and `lead` more.
  @_noLocks
  public mutating func pull(into output: UnsafeMutablePointer<Float>, outputCount: Int) {
    precondition(
      outputCount >= 0 && pulled &+ outputCount <= counter.outputTotal &+ lead, "more than is due was pulled")
    pulled &+= outputCount
    var target = output
    if outputCount > held {
      // The library's bound did not hold: the count stays exact, and the ledger records it.
      let missing = outputCount &- held
      for index in 0..<(missing &* channelCount) { target[index] = 0 }
      target += missing &* channelCount
      insertedCount &+= missing
    }
    let count = min(outputCount, held)
    copySamples(from: fifo, to: target, count: count &* channelCount)
    held &-= count
    moveSamples(from: fifo + count &* channelCount, to: fifo, count: held &* channelCount)
  }

  /// Forgets all input and restarts, bit for bit as after init.
  ///
  /// Thread: control, while no other thread uses the converter.
  ///
  /// - Throws: `ResamplingError` if the library gets no memory; the converter is then unchanged.
  public mutating func reset() throws(ResamplingError) {
    switch engine {
    case .copy: break
    case .sinc(let converter): converter.reset()
    case .block(let converter):
      let fresh = try BlockConverter(
        from: inputRate, to: outputRate, channelCount: channelCount, purpose: .live)
      converter.delete()
      engine = .block(fresh)
    }
    counter.reset()
    (pulled, insertedCount, held) = (0, 0, delay)
    fifo.update(repeating: 0, count: capacity * channelCount)
    primeBlockConverter()
  }

  private static func makeEngine(
    _ counter: PhaseCounter, _ inputRate: Int, _ outputRate: Int, _ channelCount: Int,
    _ quality: ConversionQuality
  ) throws(ResamplingError) -> (Engine, deficit: Int) {
    if inputRate == outputRate { return (.copy, 0) }
    switch quality {
    case .lowDelay:
      let sinc = try SincConverter(from: inputRate, to: outputRate, channelCount: channelCount)
      return (.sinc(sinc), sinc.largestDeficit(counter))
    case .lowCost:
      let deficit = try BlockConverterDelay.largestDeficit(from: inputRate, to: outputRate)
      let block = try BlockConverter(
        from: inputRate, to: outputRate, channelCount: channelCount, purpose: .live)
      return (.block(block), deficit)
    }
  }

  /// Runs soxr over zeros until its buffers have grown to the need of the longest call.
  ///
  /// It stops at a whole number of output samples, and subtracts the samples that the library still owes from the
  /// prefilled zeros. The first live sample thus meets the same phase as in a new converter.
  private mutating func primeBlockConverter() {
    guard case .block(let converter) = engine else { return }
    let longest = 2 * maximumInputCount + 16_384
    let silence = UnsafeMutablePointer<Float>.allocate(capacity: longest * channelCount)
    silence.initialize(repeating: 0, count: longest * channelCount)
    let room = deficit + counter.maximumOutputCount(forInput: longest)
    let scratch = UnsafeMutablePointer<Float>.allocate(capacity: room * channelCount)
    defer {
      silence.deallocate()
      scratch.deallocate()
    }
    var given = 0
    var primed = PhaseCounter(from: inputRate, to: outputRate)
    func feed(_ count: Int) {
      given += converter.convert(silence, inputCount: count, output: scratch, capacity: room)
      _ = primed.outputCount(forInput: count)
    }
    // One call far longer than any live one, then every length that a live call may have, in a mixed order.
    feed(longest)
    var step = 1
    while primed.inputTotal < longest + max(2 * inputRate, 16 * maximumInputCount) {
      step = (step * 16_807) % 2_147_483_647
      feed(1 + step % maximumInputCount)
    }
    while primed.inputTotal % counter.inputPerCycle != 0 {
      feed(min(longest, counter.inputPerCycle - primed.inputTotal % counter.inputPerCycle))
    }
    held = delay - (primed.outputTotal - given)
  }
}

// SAFETY (@unchecked Sendable): the pointers are owned by this one value, which cannot be copied; it may move to
// another thread, and every mutation needs exclusive access.
extension RateConverter: @unchecked Sendable {}

/// Checks that both rates and the channel count are possible for a frame.
///
/// - Throws: `ResamplingError` for the first value that is not.
func checkConversion(from inputRate: Int, to outputRate: Int, channelCount: Int) throws(ResamplingError) {
  guard AudioFormat.sampleRates.contains(inputRate), AudioFormat.sampleRates.contains(outputRate) else {
    throw .unsupportedRates(from: inputRate, to: outputRate)
  }
  guard AudioFormat.channelCounts.contains(channelCount) else { throw .unsupportedChannelCount(channelCount) }
}
