/// Lines two recordings up.
enum Alignment {
  /// By how many seconds the loudness of `late` follows that of `early`, 0 to 0.15; nil where nothing fits.
  static func ofLoudness(_ early: [Float], _ late: [Float], sampleRate: Int) -> Double? {
    let (a, b) = (loudness(early, sampleRate), loudness(late, sampleRate))
    var best: (lag: Int, score: Double)?
    for lag in 0...150 {
      let pairs = zip(a, b.dropFirst(lag))
      let (count, sumA, sumB) = pairs.reduce((0.0, 0.0, 0.0)) { ($0.0 + 1, $0.1 + $1.0, $0.2 + $1.1) }
      var (product, energyA, energyB) = (0.0, 0.0, 0.0)
      for (x, y) in pairs {
        product += (x - sumA / count) * (y - sumB / count)
        energyA += (x - sumA / count) * (x - sumA / count)
        energyB += (y - sumB / count) * (y - sumB / count)
      }
      let score = product / (energyA * energyB).squareRoot()
      if score > best?.score ?? 0.5 { best = (lag, score) }
    }
    return best.map { Double($0.lag) / 1_000 }
  }

  /// The energy around each millisecond, over 40 ms.
  private static func loudness(_ samples: [Float], _ sampleRate: Int) -> [Double] {
    let step = sampleRate / 1_000
    let blocks = (0..<(samples.count / step)).map { block in
      samples[(block * step)..<((block + 1) * step)].reduce(0.0) { $0 + Double($1) * Double($1) }
    }
    return (0..<(blocks.count - 40)).map { blocks[$0..<($0 + 40)].reduce(0, +) }
  }
}
