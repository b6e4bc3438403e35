/// How alike the newest 30 ms of a sound are to themselves some milliseconds before: near 1 for a voice, seldom for
/// long for anything that people do to keyboards.
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
  var reach: Int { count + longestLag + 4 }

  /// The likeness, up to 1, before index `end` of the thinned-out samples.
  @_noLocks
  func voicing(_ history: borrowing SpliceHistory, end: Int) -> Float {
    var energy: Float = 1e-9
    var earlier: Float = 1e-9
    for channel in 0..<history.channelCount {
      let newest = history.thinPlane(channel) + (end &- count)
      energy += LagSearch.product(newest, newest, count: count)
      earlier += LagSearch.product(newest - shortestLag, newest - shortestLag, count: count)
    }
    var best: Float = 0
    var lag = shortestLag
    while lag <= longestLag {
      // Four lags at once load each sample once.
      var products = SIMD4<Float>(repeating: 0)
      for channel in 0..<history.channelCount {
        let newest = history.thinPlane(channel) + (end &- count)
        products += LagSearch.products(newest, newest - (lag &+ 3), count: count)
      }
      for place in 0..<min(4, longestLag &- lag &+ 1) {
        let value = 2 * products[3 &- place] / (energy + earlier)
        if value > best { best = value }
        for channel in 0..<history.channelCount {
          let newest = history.thinPlane(channel) + (end &- count)
          let (leaving, coming) = (newest[count &- lag &- place &- 1], newest[-lag &- place &- 1])
          earlier += coming * coming - leaving * leaving
        }
        if earlier < 1e-9 { earlier = 1e-9 }
      }
      lag = lag &+ 4
    }
    return best
  }
}
