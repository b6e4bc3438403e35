import DSP

/// Correlation of the newest 30 ms of a sound with the sound some milliseconds before: near 1 for a voice, seldom for
/// long for typing.
///
/// Sound below 200 Hz hardly counts, since rumble always resembles its recent past; a voice has the period of its
/// lowest tone in the higher ones, too.
///
/// Source: the normalized square difference of McLeod and Wyvill, A smarter way to find pitch (2005), on the band below
/// 1.8 kHz.
struct VoicingMeter: ~Copyable {
  /// Decimated samples that are compared; a multiple of 8.
  private let count: Int
  private let shortestLag: Int
  private let longestLag: Int
  /// Samples of a mean around each sample; odd.
  private let meanLength: Int
  /// Newest decimated sound, less such a mean; `twice` is the rest of each channel, less another mean.
  private let once: SpectrumBuffer
  private let twice: SpectrumBuffer

  init(sampleRate: Int, decimation: Int, channelCount: Int) {
    let rate = Double(sampleRate) / Double(decimation)
    count = 8 * Int((0.03 * rate / 8).rounded())
    shortestLag = Int(rate / 420)
    longestLag = Int(rate / 75)
    meanLength = 2 * Int(rate / 600) + 1
    once = SpectrumBuffer(count + longestLag + 4 + meanLength)
    twice = SpectrumBuffer(count + longestLag + 4, rows: channelCount)
  }

  /// Decimated samples that are necessary before the examined position.
  var reach: Int { count + longestLag + 4 + 2 * meanLength }

  /// Returns the correlation, up to 1, before index `end` of the decimated samples.
  @_noLocks
  func voicing(_ history: borrowing SampleHistory, end: Int) -> Float {
    for channel in 0..<history.channelCount { takeLows(before: history.thinPlane(channel) + end, channel: channel) }
    var energy: Float = 1e-9
    var earlier: Float = 1e-9
    for channel in 0..<history.channelCount {
      let newest = self.newest(channel)
      energy += Correlation.product(newest, newest, count: count)
      earlier += Correlation.product(newest - shortestLag, newest - shortestLag, count: count)
    }
    var best: Float = 0
    var lag = shortestLag
    while lag <= longestLag {
      // Four lags at once load each sample once.
      var products = SIMD4<Float>(repeating: 0)
      for channel in 0..<history.channelCount {
        let newest = self.newest(channel)
        products += Correlation.products(newest, newest - (lag &+ 3), count: count)
      }
      for place in 0..<min(4, longestLag &- lag &+ 1) {
        let value = 2 * products[3 &- place] / (energy + earlier)
        if value > best { best = value }
        for channel in 0..<history.channelCount {
          let newest = self.newest(channel)
          let (leaving, coming) = (newest[count &- lag &- place &- 1], newest[-lag &- place &- 1])
          earlier += coming * coming - leaving * leaving
        }
        if earlier < 1e-9 { earlier = 1e-9 }
      }
      lag = lag &+ 4
    }
    return best
  }

  @_noLocks @inline(__always)
  private func newest(_ channel: Int) -> UnsafeMutablePointer<Float> {
    twice.row(channel) + (longestLag &+ 4)
  }

  /// Fills `twice` with the samples before `end`, without their lows.
  @_noLocks
  private func takeLows(before end: UnsafePointer<Float>, channel: Int) {
    let length = count &+ longestLag &+ 4
    takeMeans(end - (length &+ 2 &* meanLength), once.pointer, count: length &+ meanLength)
    takeMeans(once.pointer, twice.row(channel), count: length)
  }

  /// Subtracts from each of `count` samples the mean around it.
  ///
  /// Shape: `source` begins half a mean before.
  @_noLocks
  private func takeMeans(_ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, count: Int) {
    let share = 1 / Float(meanLength)
    var sum: Float = 0
    for index in 0..<meanLength { sum += source[index] }
    for index in 0..<count {
      target[index] = source[index &+ meanLength / 2] - share * sum
      sum += source[index &+ meanLength] - source[index]
    }
  }
}
