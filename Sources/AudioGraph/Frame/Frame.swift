import LockFree

/// A view of one frame in memory: its header and 10 ms of planar Float32 samples.
///
/// Shape: `channelCount` planes of `header.samplesPerChannel` samples, nominal range -1...1.
/// The view does not own the memory: inside a step it is valid for that call only.
public struct Frame: BitwiseCopyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): a view is handed over only together with the right to use its memory, by a
  // ring or by the order of steps in a plan.

  /// Header of the frame.
  public let header: UnsafeMutablePointer<FrameHeader>
  /// Channels of the frame.
  public let channelCount: Int
  @usableFromInline package let samples: UnsafeMutablePointer<Float>
  @usableFromInline package let stride: Int

  @_noLocks @inlinable
  init(
    header: UnsafeMutablePointer<FrameHeader>, samples: UnsafeMutablePointer<Float>, stride: Int, channelCount: Int
  ) {
    self.header = header
    self.samples = samples
    self.stride = stride
    self.channelCount = channelCount
  }

  /// Samples of one channel.
  @inlinable
  public var samplesPerChannel: Int {
    @_noLocks get { header.pointee.samplesPerChannel }
  }

  /// Samples from the beginning of one channel to that of the next.
  @inlinable public var planeStride: Int { @_noLocks get { stride } }

  /// Returns the samples of one channel; `samplesPerChannel` of them are valid.
  @_noLocks @inlinable
  public func channel(_ index: Int) -> UnsafeMutablePointer<Float> {
    precondition(index >= 0 && index < channelCount, "channel index out of range")
    return samples + index &* stride
  }

  /// Sets every sample to zero and marks the header as silent.
  @_noLocks @inlinable
  public func silence() {
    for channel in 0..<channelCount {
      let plane = samples + channel &* stride
      for index in 0..<samplesPerChannel { plane[index] = 0 }
    }
    header.pointee.isSilent = true
  }

  /// Replaces samples that are infinite or NaN by zero.
  @_noLocks @inlinable
  public func removeNonFiniteSamples() {
    for channel in 0..<channelCount {
      let plane = samples + channel &* stride
      // Only a finite number minus itself is 0.
      for index in 0..<samplesPerChannel { plane[index] = plane[index] - plane[index] == 0 ? plane[index] : 0 }
    }
  }

  /// Copies samples and header from a frame of the same shape.
  @_noLocks @inlinable
  public func copy(from other: Frame) {
    precondition(channelCount == other.channelCount, "frames differ in channel count")
    // Read once and before the header is copied: the copies need not wait for that store.
    let count = other.samplesPerChannel
    precondition(count <= stride, "the frame is longer than this one's memory")
    header.pointee = other.header.pointee
    for channel in 0..<channelCount {
      copySamples(from: other.samples + channel &* other.stride, to: samples + channel &* stride, count: count)
    }
  }
}
