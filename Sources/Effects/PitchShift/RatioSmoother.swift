import AudioGraph

/// The ratio of a pitch shift, which changes in a straight line through a frame.
struct RatioSmoother: BitwiseCopyable {
  /// Set by any thread. At an address of its own: its owner is changed while it is read.
  private let target: UnsafeMutablePointer<AtomicFloat>
  /// At the end of the last frame; nil before the first.
  private var last: Double?

  init(_ target: UnsafeMutablePointer<AtomicFloat>) { self.target = target }

  /// The ratio at the beginning and at the end of the next frame.
  @_noLocks
  mutating func next() -> (start: Double, end: Double) {
    let wanted = Double(target.pointee.value)
    defer { last = wanted }
    return (last ?? wanted, wanted)
  }
}
