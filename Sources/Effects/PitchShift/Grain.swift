import DSP

/// A piece of a voice around a beat of its vocal cords, and how it is heard again.
struct Grain: BitwiseCopyable {
  /// Where its middle is heard, as a position in the history that is the delay behind the present.
  var place: Double
  /// How much nearer to the present than that it is read, in samples.
  var lead = 0.0
  /// Of the voice, in samples; 0 where there is none.
  var period = 0.0
  var gain: Float = 1
  /// Within how many samples before its middle it rises, and behind it falls.
  var rise = 1.0
  var fall = 1.0

  /// What passes as it is.
  @_noLocks
  init(place: Double) { self.place = place }

  /// Whether nothing changes where it is heard alone.
  var isPlain: Bool { @_noLocks get { lead == 0 && gain == 1 } }

  /// Its window: how strong it is so far, 0...1, on the way from its middle to its end.
  @_noLocks @inline(__always)
  static func weight(_ way: Float) -> Float {
    let fallen = way * way * (3 - 2 * way)
    return 1 - fallen
  }

  /// How strong it is from a position on, on one side of its middle.
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

    /// Whether there is anything to hear in so many samples.
    @_noLocks
    func isHeard(count: Int) -> Bool { min(start, start + step * Float(count)) < 1 }

    /// Of eight samples from an index on.
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
