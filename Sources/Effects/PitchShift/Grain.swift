import DSP

/// A piece of a voice around a pitch mark, and its place in the output.
struct Grain: BitwiseCopyable {
  /// Position at which its middle is heard: a position in the history, the delay behind the present.
  var place: Double
  /// Distance by which it is read nearer to the present than `place`, in samples.
  var lead = 0.0
  /// Period of the voice, in samples; 0 without a voice.
  var period = 0.0
  var gain: Float = 1
  /// Lengths of the rise before its middle, and of the fall behind it, in samples.
  var rise = 1.0
  var fall = 1.0

  /// Creates a grain of sound that passes unchanged.
  @_noLocks
  init(place: Double) { self.place = place }

  /// Whether the grain changes nothing when it is heard alone.
  var isPlain: Bool { @_noLocks get { lead == 0 && gain == 1 } }

  /// Returns the window's value, 0...1, at a fraction `way` of the path from its middle to its end.
  @_noLocks @inline(__always)
  static func weight(_ way: Float) -> Float {
    let fallen = way * way * (3 - 2 * way)
    return 1 - fallen
  }

  /// Returns the window from a position on, on one side of its middle.
  @_noLocks
  func slope(from position: Double) -> Slope {
    let way = position - place
    let width = way < 0 ? -rise : fall
    return Slope(start: Float(way / width), step: Float(1 / width), gain: gain)
  }

  struct Slope: BitwiseCopyable {
    fileprivate let start: Float
    fileprivate let step: Float
    fileprivate let gain: Float

    /// Returns whether any of `count` samples is audible.
    @_noLocks
    func isHeard(count: Int) -> Bool { min(start, start + step * Float(count)) < 1 }

    /// Returns the weights of eight samples from an index on.
    @_noLocks @inline(__always)
    func weights(_ index: Int) -> SIMD8<Float> {
      let way = start + step * (Float(index) + SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7))
      let limited = lesser(larger(way, .zero), SIMD8(repeating: 1))
      return gain * (1 - limited * limited * (3 - 2 * limited))
    }

    @_noLocks @inline(__always)
    func weight(_ index: Int) -> Float {
      let way = start + step * Float(index)
      return gain * Grain.weight(way < 0 ? 0 : way > 1 ? 1 : way)
    }
  }
}
