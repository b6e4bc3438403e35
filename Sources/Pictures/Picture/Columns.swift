import JSON

extension Array {
  /// Returns columns of samples at their centers; the first and the last extend to the ends of their samples.
  package func spreadOut<Cell>(_ time: Scale, sampleRate: Int) -> [(x: Double, cell: Cell)]
  where Element == Envelope<Cell>.Column {
    guard let first, let last else { return [] }
    func seconds(_ samples: Int) -> Double { Double(samples) / Double(sampleRate) }
    let middles = map { column in
      (x: time((seconds(column.units.lowerBound) + seconds(column.units.upperBound)) / 2), cell: column.cell)
    }
    return [(time(seconds(first.units.lowerBound)), first.cell)] + middles
      + [(time(seconds(last.units.upperBound)), last.cell)]
  }
}

extension Double {
  /// The shortest decimal digits without an exponent or a fraction of zero: `0.005`, `50`.
  package var plainText: String {
    let text = JSONWriter.digits(self, 6)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
