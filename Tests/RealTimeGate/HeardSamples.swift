/// Keeps the samples of one channel that an observer sees, in memory of its own.
final class HeardSamples: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): written by the thread that ticks, read by the same one once it has.
  private let memory: UnsafeMutableBufferPointer<Int16>
  private var count = 0

  init(capacity: Int) {
    memory = .allocate(capacity: capacity)
    memory.initialize(repeating: 0)
  }

  deinit { memory.deallocate() }

  /// Keeps as many as there is room for.
  func append(_ samples: borrowing Span<Int16>) {
    for index in samples.indices where count < memory.count {
      memory[count] = samples[index]
      count += 1
    }
  }

  func samples(_ first: Int, count: Int) -> UnsafeBufferPointer<Int16> {
    UnsafeBufferPointer(rebasing: memory[first..<(first + count)])
  }
}
