import Glibc

/// Fit of a sine with free frequency, phase and level to samples.
package struct SineFit {
  /// Frequency in Hz.
  package let frequency: Double
  /// Level of the sine in the samples' own unit.
  package let amplitude: Double
  /// Level of what the sine leaves, relative to the sine, in dB.
  package let residualDecibels: Double

  /// Fits by Gauss and Newton's method, from a frequency near the result.
  package init(_ samples: ArraySlice<Float>, sampleRate: Double, near start: Double) {
    let values = samples.map(Double.init)
    let middle = Double(values.count - 1) / 2
    var omega = 2 * Double.pi * start / sampleRate
    var (a, b, c) = (0.0, 0.0, 0.0)
    for _ in 0..<8 {
      // The derivative by the frequency is known once the amplitudes are.
      var matrix = [[Double]](repeating: [0, 0, 0, 0, 0], count: 4)
      for (index, value) in values.enumerated() {
        let time = Double(index) - middle
        let (sine, cosine) = (sin(omega * time), cos(omega * time))
        let row = [sine, cosine, 1, time * (a * cosine - b * sine)]
        for i in 0..<4 {
          for j in 0..<4 { matrix[i][j] += row[i] * row[j] }
          matrix[i][4] += row[i] * value
        }
      }
      let isFirst = a == 0 && b == 0
      let solution = Self.solve(matrix, unknowns: isFirst ? 3 : 4)
      (a, b, c) = (solution[0], solution[1], solution[2])
      if !isFirst { omega += solution[3] }
    }
    var error = 0.0
    for (index, value) in values.enumerated() {
      let time = Double(index) - middle
      let left = value - a * sin(omega * time) - b * cos(omega * time) - c
      error += left * left
    }
    frequency = omega * sampleRate / (2 * .pi)
    amplitude = (a * a + b * b).squareRoot()
    let power = amplitude * amplitude / 2 * Double(values.count)
    residualDecibels = 10 * log10(max(error, 1e-30) / power)
  }

  private static func solve(_ rows: [[Double]], unknowns: Int) -> [Double] {
    var rows = rows
    for pivot in 0..<unknowns {
      for other in 0..<unknowns where other != pivot {
        let factor = rows[other][pivot] / rows[pivot][pivot]
        for column in 0..<5 { rows[other][column] -= factor * rows[pivot][column] }
      }
    }
    return (0..<unknowns).map { rows[$0][4] / rows[$0][$0] }
  }
}
