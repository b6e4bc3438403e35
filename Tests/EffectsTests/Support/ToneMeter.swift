import Glibc

/// A tone in a recording: how far it is from where it should be, and how strong.
///
/// It is followed in windows of 40 ms by its phase. One that is off by 25 Hz and more would be taken for another, but
/// then its strength in such a window is hardly there.
struct ToneMeter {
  /// The difference in cents.
  let cents: Double
  /// The amplitude of the sine, the smallest of the windows.
  let amplitude: Double

  init(_ samples: ArraySlice<Float>, frequency: Double, sampleRate: Int) {
    let length = sampleRate / 25
    let step = 2 * Double.pi * frequency / Double(sampleRate)
    let window: [Double] = (0..<length).map { (index: Int) -> Double in
      0.5 - 0.5 * cos(2 * Double.pi * (Double(index) + 0.5) / Double(length))
    }
    let weight = window.reduce(0, +)
    var phase = 0.0
    var phases: [Double] = []
    var smallest = Double.infinity
    for start in stride(from: 0, through: samples.count - length, by: length / 2) {
      var (real, imaginary) = (0.0, 0.0)
      for index in 0..<length {
        let sample = window[index] * Double(samples[samples.startIndex + start + index])
        let angle = step * Double(start + index)
        real += sample * cos(angle)
        imaginary -= sample * sin(angle)
      }
      let newest = atan2(imaginary, real)
      phase += phases.isEmpty ? newest : remainder(newest - phase, 2 * Double.pi)
      phases.append(phase)
      smallest = min(smallest, 2 * hypot(real, imaginary) / weight)
    }
    // The slope of the phases by least squares.
    let middle = Double(phases.count - 1) / 2
    let (above, below) = phases.enumerated().reduce((0.0, 0.0)) { sums, pair in
      let place = Double(pair.offset) - middle
      return (sums.0 + place * pair.element, sums.1 + place * place)
    }
    let hertz = above / below / (2 * Double.pi) * Double(sampleRate) / Double(length / 2)
    cents = 1_200 * log2(1 + hertz / frequency)
    amplitude = smallest
  }
}
