import AudioGraph

/// Turns blocks of any size into blocks of exactly `samplesPerBlock` samples per channel.
///
/// ```
/// reframer.push(frame, inputCount: 441)
/// while let block = reframer.next() { ... }   // samplesPerBlock x channelCount samples
/// ```
/// Shape: interleaved Float32. Counts are samples per channel.
/// Thread: made on the control thread, used by one thread at a time.
/// Real-time: `push` and `next` are wait-free; all memory is allocated by init.
public struct Reframer: ~Copyable {
  /// Samples per channel of every block given.
  public let samplesPerBlock: Int
  /// Channels of input and output.
  public let channelCount: Int
  /// Largest number of samples per channel that one push brings.
  public let maximumInputCount: Int

  private let memory: UnsafeMutablePointer<Float>
  private let capacity: Int
  private var begin = 0
  private var end = 0

  /// Creates an empty reframer.
  public init(samplesPerBlock: Int, channelCount: Int, maximumInputCount: Int) {
    precondition(
      samplesPerBlock > 0 && channelCount > 0 && maximumInputCount > 0, "counts must be above zero")
    self.samplesPerBlock = samplesPerBlock
    self.channelCount = channelCount
    self.maximumInputCount = maximumInputCount
    // A block minus one sample may wait when the longest push comes.
    capacity = samplesPerBlock - 1 + maximumInputCount
    memory = .allocate(capacity: capacity * channelCount)
    memory.initialize(repeating: 0, count: capacity * channelCount)
  }

  deinit { memory.deallocate() }

  /// Samples per channel that wait for their block to be complete.
  public var held: Int {
    @_noLocks get { end &- begin }
  }

  /// Takes `inputCount` samples. All complete blocks must have been taken before.
  @_noLocks
  public mutating func push(_ input: UnsafePointer<Float>, inputCount: Int) {
    precondition(inputCount >= 0 && inputCount <= maximumInputCount, "more input than maximumInputCount")
    precondition(held < samplesPerBlock, "a complete block was not taken")
    if end &+ inputCount > capacity {
      // The rest is the tail of one push, so little is moved however long the blocks are.
      moveSamples(from: memory + begin &* channelCount, to: memory, count: held &* channelCount)
      end &-= begin
      begin = 0
    }
    copySamples(from: input, to: memory + end &* channelCount, count: inputCount &* channelCount)
    end &+= inputCount
  }

  /// Returns the next complete block; nil if more input is needed.
  ///
  /// The memory may be written to, and is valid until the next call of any method.
  @_noLocks
  public mutating func next() -> UnsafeMutablePointer<Float>? {
    guard held >= samplesPerBlock else {
      if begin == end { (begin, end) = (0, 0) }
      return nil
    }
    defer { begin &+= samplesPerBlock }
    return memory + begin &* channelCount
  }

  /// Silences the waiting samples, without changing their number.
  ///
  /// - Returns: Samples per channel that wait.
  @_noLocks
  public mutating func silence() -> Int {
    for index in 0..<(held &* channelCount) { memory[begin &* channelCount &+ index] = 0 }
    return held
  }

  /// Forgets the waiting samples.
  @_noLocks
  public mutating func reset() { (begin, end) = (0, 0) }
}

// SAFETY (@unchecked Sendable): the memory is owned by this one value, which cannot be copied; it may move to
// another thread, and every mutation needs exclusive access.
extension Reframer: @unchecked Sendable {}
