import LockFree

/// Planes of samples that move to the front by a frame at a time.
///
/// Shape: each channel is one plane: `length` samples of the past, then room for a frame. It is the plane that moves
/// over more memory than that; the samples follow only when it has come to the end, every few frames.
package struct SlidingPlanes: ~Copyable {
  private let length: Int
  private let channelCount: Int
  @usableFromInline let stride: Int
  @usableFromInline let memory: UnsafeMutablePointer<Float>
  /// Where in memory the planes begin, and the last place where they may.
  @usableFromInline private(set) var base = 0
  private let lastBase: Int
  /// The newest samples that are zeros in all channels, as far as has been looked.
  private var silentCount: Int

  /// Everything is zeros.
  package init(length: Int, channelCount: Int, maximumCount: Int) {
    self.length = length
    self.channelCount = channelCount
    lastBase = 4 * maximumCount
    silentCount = length
    stride = (length + lastBase + maximumCount + 47) / 16 * 16
    memory = .allocate(capacity: stride * channelCount)
    memory.initialize(repeating: 0, count: stride * channelCount)
  }

  deinit { memory.deallocate() }

  /// All samples of a channel.
  @_noLocks @inlinable @inline(__always)
  package func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { memory + (channel &* stride &+ base) }

  /// Looks at the newest `count` samples. Returns: whether all that there are are zeros.
  @_noLocks
  package mutating func noteSilence(count: Int) -> Bool {
    silentCount = min(silentCount &+ count, length &+ count)
    for channel in 0..<channelCount where PeakScan.magnitude(plane(channel) + length, count: count) > 0 {
      silentCount = 0
    }
    return silentCount == length &+ count
  }

  /// Lets a frame of `count` samples become the past.
  @_noLocks
  package mutating func pass(count: Int) {
    base = base &+ count
    guard base > lastBase else { return }
    for channel in 0..<channelCount { moveSamples(from: plane(channel), to: memory + channel &* stride, count: length) }
    base = 0
  }
}
