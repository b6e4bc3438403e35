import LockFree

/// A ring of frames. Every slot is a view of 10 ms of memory that the ring owns, filled and read in place.
public typealias FrameRing = Ring<Frame>

extension Ring where Element == Frame {
  /// Capacities that a caller can choose, in frames: up to 10 minutes.
  public static var capacities: ClosedRange<Int> { 1...60_000 }

  /// Creates an empty ring for `capacity` frames of `format`.
  public convenience init(capacity: Int, format: AudioFormat, policy: OverflowPolicy = .dropNewest) {
    let memory = FrameMemory(count: capacity, format: format)
    self.init(capacity: capacity, policy: policy, keepAlive: memory) { memory[$0] }
  }
}
