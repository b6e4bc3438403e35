import Glibc

/// One formant: a resonance of second order with gain 1 at 0 Hz.
///
/// Source: Klatt, "Software for a cascade/parallel formant synthesizer", 1980.
struct Resonator {
  private var a = 1.0
  private var b = 0.0
  private var c = 0.0
  private var last = 0.0
  private var beforeLast = 0.0

  /// The resonance from the next sample on.
  mutating func tune(hertz: Double, bandwidth: Double, sampleRate: Double) {
    c = -exp(-2 * Double.pi * bandwidth / sampleRate)
    b = 2 * exp(-Double.pi * bandwidth / sampleRate) * cos(2 * Double.pi * hertz / sampleRate)
    a = 1 - b - c
  }

  mutating func next(_ input: Double) -> Double {
    let output = a * input + b * last + c * beforeLast
    beforeLast = last
    last = output
    return output
  }
}
