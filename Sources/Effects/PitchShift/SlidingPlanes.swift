import AudioGraph

/// Planes of samples that move to the front by a frame at a time.
///
/// Shape: each channel is one plane: `length` samples of the past, then room for a frame. It is the plane that moves
/// over more memory than that; the samples follow only when it has come to the end, every few frames.
struct SlidingPlanes: ~Copyable {
  private let length: Int
  private let channelCount: Int
  private let stride: Int
  private let memory: UnsafeMutablePointer<Float>
  /// Where in memory the planes begin, and the last place where they may.
  private var base = 0
  private let lastBase: Int
  /// The newest samples that are zeros in all channels, as far as has been looked.
  private var silentCount: Int

  /// Everything is zeros.
  init(length: Int, channelCount: Int, maximumCount: Int) {
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
  @_noLocks @inline(__always)
  func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { memory + (channel &* stride &+ base) }

  /// Looks at the newest `count` samples. Returns: whether all that there are are zeros.
  @_noLocks
  mutating func noteSilence(count: Int) -> Bool {
    silentCount = min(silentCount &+ count, length &+ count)
    for channel in 0..<channelCount where PeakScan.magnitude(plane(channel) + length, count: count) > 0 {
      silentCount = 0
    }
    return silentCount == length &+ count
  }

  /// Lets a frame of `count` samples become the past.
  @_noLocks
  mutating func pass(count: Int) {
    base = base &+ count
    guard base > lastBase else { return }
    for channel in 0..<channelCount { moveSamples(from: plane(channel), to: memory + channel &* stride, count: length) }
    base = 0
  }
}
