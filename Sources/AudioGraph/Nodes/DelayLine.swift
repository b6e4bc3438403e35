import LockFree

/// The memory of a fixed delay, for any number of channels.
///
/// Thread: the one that renders. Real-time: wait-free, two copies a channel.
public struct DelayLine: ~Copyable {
  /// Samples per channel between input and output.
  public let delay: Int
  private let memory: UnsafeMutablePointer<Float>
  private let capacity: Int
  private var position = 0

  /// Creates a line full of silence, for calls of at most `maximumCount` samples.
  public init(delay: Int, channelCount: Int, maximumCount: Int) {
    precondition(delay >= 0, "a delay cannot be negative")
    self.delay = delay
    capacity = delay + maximumCount
    memory = .allocate(capacity: max(1, capacity * channelCount))
    memory.initialize(repeating: 0, count: max(1, capacity * channelCount))
  }

  deinit { memory.deallocate() }

  /// Writes `count` samples of one channel and reads those `delay` older; input and output may be the same memory.
  ///
  /// Call it once for each channel, then `advance` by the same count.
  @_noLocks
  public func process(
    _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int, channel: Int
  ) {
    precondition(delay &+ count <= capacity, "more samples at once than the line was made for")
    let plane = memory + channel &* capacity
    let beforeEnd = min(count, capacity &- position)
    copySamples(from: input, to: plane + position, count: beforeEnd)
    copySamples(from: input + beforeEnd, to: plane, count: count &- beforeEnd)
    var start = position &- delay
    if start < 0 { start = start &+ capacity }
    let readable = min(count, capacity &- start)
    copySamples(from: plane + start, to: output, count: readable)
    copySamples(from: plane, to: output + readable, count: count &- readable)
  }

  /// Advances by `count` samples in every channel.
  @_noLocks
  public mutating func advance(_ count: Int) {
    position = position &+ count
    if position >= capacity { position = position &- capacity }
  }

  /// Fills the line with silence again.
  @_noLocks
  public mutating func reset(channelCount: Int) {
    for index in 0..<(capacity &* channelCount) { memory[index] = 0 }
    position = 0
  }
}
