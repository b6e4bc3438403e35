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

  /// Everything is zeros.
  init(length: Int, channelCount: Int, maximumCount: Int) {
    self.length = length
    self.channelCount = channelCount
    lastBase = 4 * maximumCount
    stride = (length + lastBase + maximumCount + 47) / 16 * 16
    memory = .allocate(capacity: stride * channelCount)
    memory.initialize(repeating: 0, count: stride * channelCount)
  }

  deinit { memory.deallocate() }

  /// All samples of a channel.
  @_noLocks @inline(__always)
  func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { memory + (channel &* stride &+ base) }

  /// Whether the newest `count` samples of all channels are zeros.
  @_noLocks
  func isSilent(count: Int) -> Bool {
    for channel in 0..<channelCount where PeakScan.magnitude(plane(channel) + length, count: count) > 0 { return false }
    return true
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
