/// Owns the memory of a number of equally shaped frames.
///
/// Each frame lies on cache lines of its own: header first, then the planes, each plane aligned to 64 bytes.
public final class FrameMemory: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the pointers never change after init; the ring or plan that owns this memory settles
  // the access to each frame.

  private static let alignment = 64
  private let base: UnsafeMutableRawPointer
  private let bytesPerFrame: Int
  private let stride: Int
  private let channelCount: Int
  /// Number of frames in this memory.
  public let count: Int

  /// Allocates zeroed memory for `count` frames of 10 ms in `format`.
  public convenience init(count: Int, format: AudioFormat) {
    self.init(count: count, channelCount: format.channelCount, sampleRate: format.sampleRate)
  }

  init(count: Int, channelCount: Int, sampleRate: Int) {
    let schedule = FrameSchedule(sampleRate: sampleRate)
    let samplesPerLine = Self.alignment / MemoryLayout<Float>.stride
    let maximum = schedule.maximumSamplesPerChannel
    stride = (maximum + samplesPerLine - 1) / samplesPerLine * samplesPerLine
    self.channelCount = channelCount
    self.count = count
    let headerBytes = (MemoryLayout<FrameHeader>.size + Self.alignment - 1) / Self.alignment * Self.alignment
    bytesPerFrame = headerBytes + stride * channelCount * MemoryLayout<Float>.stride
    base = .allocate(byteCount: max(1, bytesPerFrame * count), alignment: Self.alignment)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: bytesPerFrame * count)
    for index in 0..<count {
      (base + index * bytesPerFrame).initializeMemory(
        as: FrameHeader.self, to: FrameHeader(samplePosition: 0, samplesPerChannel: maximum))
    }
  }

  deinit { base.deallocate() }

  /// The frame at `index`.
  public subscript(index: Int) -> Frame {
    precondition(index >= 0 && index < count, "frame index out of range")
    let start = base + index * bytesPerFrame
    let planes = start + (bytesPerFrame - stride * channelCount * MemoryLayout<Float>.stride)
    return Frame(
      header: start.assumingMemoryBound(to: FrameHeader.self), samples: planes.assumingMemoryBound(to: Float.self),
      stride: stride, channelCount: channelCount)
  }
}
