import Glibc

extension RandomStream {
  /// Returns a number in 0..<1; all multiples of 2^-53 are equally probable.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns true with the given probability: never for 0, always for 1.
  public mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// Returns a number in `range`, equally probable everywhere.
  public mutating func uniform(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  /// Returns a number of the exponential distribution with this mean: the time between two independent events.
  public mutating func exponential(mean: Double) -> Double { -log1p(-unit()) * mean }

  /// Returns a number of the normal distribution with mean 0 and variance 1.
  ///
  /// Source: Marsaglia and Bray's polar method; its second number is discarded, so that the
  /// stream has no further state.
  public mutating func normal() -> Double {
    while true {
      let x = 2 * unit() - 1
      let y = 2 * unit() - 1
      let square = x * x + y * y
      if square > 0 && square < 1 { return x * (-2 * log(square) / square).squareRoot() }
    }
  }

  /// Returns a number of the gamma distribution with mean `shape * scale` and variance `shape * scale²`.
  ///
  /// Source: Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
  public mutating func gamma(shape: Double, scale: Double) -> Double {
    precondition(shape > 0 && scale >= 0, "a gamma distribution needs a shape above 0")
    // The source's boost for shapes below 1.
    let boost = shape < 1 ? pow(1 - unit(), 1 / shape) : 1
    let d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = normal()
      let root = 1 + c * x
      guard root > 0 else { continue }
      let cube = root * root * root
      if log(1 - unit()) < 0.5 * x * x + d - d * cube + d * log(cube) { return d * cube * boost * scale }
    }
  }
}
