import LockFree

/// Planes of samples that move to the front by a frame at a time.
///
/// Shape: each channel is one plane of `length` samples of the past, then space for a frame. The plane moves over a
/// larger memory. The samples move only when the plane has come to the end, every few frames.
package struct SlidingPlanes: ~Copyable {
  private let length: Int
  private let channelCount: Int
  @usableFromInline let stride: Int
  @usableFromInline let memory: UnsafeMutablePointer<Float>
  /// Offset of the planes in memory, in samples; at most `lastBase`.
  @usableFromInline private(set) var base = 0
  private let lastBase: Int
  /// Count of the newest samples that are zeros in all channels, as far as `noteSilence` has looked.
  private var silentCount: Int

  /// Creates planes of zeros.
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

  /// Returns all samples of a channel.
  @_noLocks @inlinable @inline(__always)
  package func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { memory + (channel &* stride &+ base) }

  /// Notes whether the newest `count` samples are zeros.
  ///
  /// - Returns: Whether all samples of the past and of the frame are zeros.
  @_noLocks
  package mutating func noteSilence(count: Int) -> Bool {
    silentCount = min(silentCount &+ count, length &+ count)
    for channel in 0..<channelCount where PeakScan.magnitude(plane(channel) + length, count: count) > 0 {
      silentCount = 0
    }
    return silentCount == length &+ count
  }

  /// Makes a frame of `count` samples part of the past.
  @_noLocks
  package mutating func pass(count: Int) {
    base = base &+ count
    guard base > lastBase else { return }
    for channel in 0..<channelCount { moveSamples(from: plane(channel), to: memory + channel &* stride, count: length) }
    base = 0
  }
}
