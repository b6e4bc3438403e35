import AudioGraph

/// The ratio of a pitch shift, which changes linearly through a frame.
struct RatioSmoother: BitwiseCopyable {
  /// Target ratio, set by any thread. At a separate address: its owner is changed while it is read.
  private let target: UnsafeMutablePointer<AtomicFloat>
  /// Ratio at the end of the last frame; nil before the first.
  private var last: Double?

  init(_ target: UnsafeMutablePointer<AtomicFloat>) { self.target = target }

  /// Returns the ratio at the beginning and at the end of the next frame.
  @_noLocks
  mutating func next() -> (start: Double, end: Double) {
    let wanted = Double(target.pointee.value)
    defer { last = wanted }
    return (last ?? wanted, wanted)
  }
}
