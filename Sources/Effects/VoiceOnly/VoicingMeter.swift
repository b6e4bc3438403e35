/// How alike the newest 30 ms of a sound are to themselves some milliseconds before: near 1 for a voice, seldom for long for
/// anything that people do to keyboards.
///
/// Source: the normalised square difference of McLeod and Wyvill, A smarter way to find pitch (2005), on the band
/// below 1.8 kHz.
struct VoicingMeter: ~Copyable {
  /// Samples of the thinned-out sound that are compared; a multiple of 8.
  private let count: Int
  private let shortestLag: Int
  private let longestLag: Int

  init(sampleRate: Int, decimation: Int) {
    let rate = Double(sampleRate) / Double(decimation)
    count = 8 * Int((0.03 * rate / 8).rounded())
    shortestLag = Int(rate / 420)
    longestLag = Int(rate / 75)
  }

  /// Thinned-out samples that have to lie before the place that is looked at.
  var reach: Int { count + longestLag + 1 }

  /// The likeness, up to 1, before index `end` of the thinned-out samples.
  @_noLocks
  func voicing(_ history: borrowing SpliceHistory, end: Int) -> Float {
    var energy: Float = 1e-9
    var earlier: Float = 1e-9
    for channel in 0..<history.channelCount {
      let newest = history.thinPlane(channel) + (end &- count)
      energy += product(newest, newest)
      earlier += product(newest - shortestLag, newest - shortestLag)
    }
    var best: Float = 0
    for lag in shortestLag...longestLag {
      var likeness: Float = 0
      var change: Float = 0
      for channel in 0..<history.channelCount {
        let newest = history.thinPlane(channel) + (end &- count)
        likeness += product(newest, newest - lag)
        let (leaving, coming) = (newest[count &- lag &- 1], newest[-lag &- 1])
        change += coming * coming - leaving * leaving
      }
      let value = 2 * likeness / (energy + earlier)
      if value > best { best = value }
      earlier += change
      if earlier < 1e-9 { earlier = 1e-9 }
    }
    return best
  }

  @_noLocks @inline(__always)
  private func product(_ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>) -> Float {
    var sum = SIMD8<Float>(repeating: 0)
    for block in 0..<(count / 8) { sum += a.eight(8 &* block) * b.eight(8 &* block) }
    return sum.total
  }
}
