/// Converts a whole file's audio from one sample rate to another, without delay.
///
/// It looks ahead: the first output sample is aligned with the first input sample. After `finish`, exactly floor(in x L
/// / M) samples have been given, or the ceiling of that if requested. Meant for large blocks (32 768 samples) on a
/// file's own thread.
///
/// Shape: interleaved Float32; every count is samples per channel.
/// Thread: one at a time, never the audio thread: the library allocates while it works.
/// Source: soxr at 28 bits, in double precision. Its errors stay below half a step of 24-bit audio. It costs only a
/// quarter more than the 20-bit quality (6.5 against 5.1 µs per 10 ms and channel from 44.1 to 48 kHz).
public struct FileRateConverter: ~Copyable {
  /// Rate of the input, in Hz.
  public let inputRate: Int
  /// Rate of the output, in Hz.
  public let outputRate: Int
  /// Channels of input and output.
  public let channelCount: Int
  /// Samples taken so far, in samples per channel.
  public var inputTotal: Int { counter.inputTotal }
  /// Samples given so far, in samples per channel.
  public private(set) var outputTotal = 0

  /// Samples given beyond floor(in x L / M): 1 if the output reaches to the end of the last input, else 0.
  public var roundedUpCount: Int { min(roundsUp ? 1 : 0, max(0, outputTotal - counter.outputTotal)) }

  private static let flushCount = 4_096
  // The longest filter (8 to 192 kHz) looks ahead by fewer than 100 such blocks.
  private static let maximumFlushes = 1_000
  private let roundsUp: Bool
  private var counter: PhaseCounter
  // nil for equal rates.
  private let converter: BlockConverter?
  private var pending: [Float] = []

  /// Creates a converter.
  ///
  /// - Parameters:
  ///   - inputRate: Rate of the input, in Hz.
  ///   - outputRate: Rate of the output, in Hz.
  ///   - channelCount: Channels of input and output.
  ///   - roundsUp: Whether the output reaches to the end of the input's last sample. A later conversion back then gives
  ///     at least as many samples as the original had.
  /// - Throws: `ResamplingError` for a rate outside 8 to 192 kHz, another channel count, or no memory.
  public init(from inputRate: Int, to outputRate: Int, channelCount: Int, roundsUp: Bool = false)
    throws(ResamplingError)
  {
    try checkConversion(from: inputRate, to: outputRate, channelCount: channelCount)
    converter =
      inputRate == outputRate
      ? nil
      : try BlockConverter(from: inputRate, to: outputRate, channelCount: channelCount, purpose: .file)
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    self.roundsUp = roundsUp
    counter = PhaseCounter(from: inputRate, to: outputRate)
  }

  deinit { converter?.delete() }

  /// Takes all of `input` and gives the samples that are ready, up to `capacity`; returns their number.
  ///
  /// The next call, which may bring no input, gives the samples that did not fit.
  public mutating func process(
    _ input: UnsafePointer<Float>, inputCount: Int, into output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> Int {
    precondition(inputCount >= 0 && capacity >= 0, "a sample count cannot be negative")
    _ = counter.outputCount(forInput: inputCount)
    let room = min(capacity, counter.outputTotal - outputTotal)
    let given: Int
    if let converter {
      given = converter.convert(input, inputCount: inputCount, output: output, capacity: room)
    } else {
      given = copyEqualRate(input, inputCount: inputCount, into: output, room: room)
    }
    outputTotal += given
    return given
  }

  /// Gives the samples that the filter still holds, up to `capacity`; returns 0 when all have been given.
  public mutating func finish(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
    precondition(capacity > 0, "there must be room for output")
    let total = counter.outputTotal + (roundsUp && counter.hasRemainder ? 1 : 0)
    let wanted = min(capacity, total - outputTotal)
    guard wanted > 0 else { return 0 }
    var given = 0
    if let converter {
      let silence = [Float](repeating: 0, count: Self.flushCount * channelCount)
      given = converter.convert(silence, inputCount: 0, output: output, capacity: wanted)
      var flushes = 0
      while given < wanted, flushes < Self.maximumFlushes {
        let target = output + given * channelCount
        given += converter.convert(
          silence, inputCount: Self.flushCount, output: target, capacity: wanted - given)
        flushes += 1
      }
    } else {
      given = copyEqualRate(output, inputCount: 0, into: output, room: wanted)
    }
    // The count is right even if the library does not give all of it.
    (output + given * channelCount).update(repeating: 0, count: (wanted - given) * channelCount)
    outputTotal += wanted
    return wanted
  }

  /// Gives waiting samples first, then new ones, and keeps the rest.
  private mutating func copyEqualRate(
    _ input: UnsafePointer<Float>, inputCount: Int, into output: UnsafeMutablePointer<Float>, room: Int
  ) -> Int {
    let fromPending = min(room * channelCount, pending.count)
    let fromInput = min(room * channelCount - fromPending, inputCount * channelCount)
    pending.withUnsafeBufferPointer { waiting in
      guard let base = waiting.baseAddress else { return }
      output.update(from: base, count: fromPending)
    }
    pending.removeFirst(fromPending)
    (output + fromPending).update(from: input, count: fromInput)
    let rest = UnsafeBufferPointer(start: input + fromInput, count: inputCount * channelCount - fromInput)
    pending.append(contentsOf: rest)
    return (fromPending + fromInput) / channelCount
  }
}

// SAFETY (@unchecked Sendable): the library's state is owned by this one value, which cannot be copied; it may move
// to another thread, and every mutation needs exclusive access.
extension FileRateConverter: @unchecked Sendable {}
