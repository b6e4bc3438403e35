import Glibc

/// Returns the amplitude of a frequency in a sound, by a single bin of a Fourier transform. Exact for whole periods.
package func toneAmplitude(
  of hertz: Double, in samples: some Collection<some BinaryFloatingPoint>, sampleRate: Int
) -> Double {
  var (real, imaginary) = (0.0, 0.0)
  for (index, sample) in samples.enumerated() {
    let angle = 2 * .pi * hertz * Double(index) / Double(sampleRate)
    real += Double(sample) * cos(angle)
    imaginary += Double(sample) * sin(angle)
  }
  return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
}
