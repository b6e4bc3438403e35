import Glibc

/// Resonances one behind the other, as those of a mouth, and their gain in closed form.
///
/// Source: Klatt, "Software for a cascade/parallel formant synthesizer", 1980.
struct SyntheticMouth {
  /// Of each resonance: the taps of `y[n] = x[n] + b y[n - 1] + c y[n - 2]`.
  private let taps: [(b: Double, c: Double)]
  private let sampleRate: Double

  /// - Parameter formants: Hz and bandwidth of each.
  init(_ formants: [(Double, Double)], sampleRate: Int) {
    let rate = Double(sampleRate)
    self.sampleRate = rate
    taps = formants.map { hertz, bandwidth in
      let radius = exp(-Double.pi * bandwidth / rate)
      return (2 * radius * cos(2 * Double.pi * hertz / rate), -radius * radius)
    }
  }

  /// Beats of vocal cords, each one sample: so many samples apart at first, and at last after `glide` samples.
  static func beats(from first: Double, to last: Double, glide: Int, count: Int) -> [Float] {
    var beats = [Float](repeating: 0, count: count)
    var place = 0.0
    while Int(place.rounded()) < count {
      beats[Int(place.rounded())] = 8
      let progress = glide > 0 ? min(1, place / Double(glide)) : 1
      let distance = first * pow(last / first, progress)
      // Whole samples once it has come to rest, so that every harmonic is as strong.
      place += progress == 1 && last == last.rounded() ? last + (place.rounded() - place) : distance
    }
    return beats
  }

  /// What it makes of beats, its largest sample 0.5.
  func speak(_ beats: [Float]) -> [Float] {
    var sound = beats.map(Double.init)
    for tap in taps {
      var (last, before) = (0.0, 0.0)
      for index in sound.indices {
        (last, before) = (sound[index] + tap.b * last + tap.c * before, last)
        sound[index] = last
      }
    }
    let peak = sound.map(abs).max()!
    return sound.map { Float(0.5 * $0 / peak) }
  }

  /// How much stronger a tone becomes.
  func gain(at hertz: Double) -> Double {
    let angle = 2 * Double.pi * hertz / sampleRate
    return taps.reduce(1) { gain, tap in
      let real = 1 - tap.b * cos(angle) - tap.c * cos(2 * angle)
      let imaginary = tap.b * sin(angle) + tap.c * sin(2 * angle)
      return gain / (real * real + imaginary * imaginary).squareRoot()
    }
  }
}
