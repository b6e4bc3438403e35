/// A clock that runs too fast or too slow by a constant, as the sound card of a sender does.
///
/// It converts between its own time and the simulation's time: a sender at +300 ppm makes packet number k at
/// `simulationNanoseconds(atLocal: k * 20_000_000)`. Exact to the nanosecond over centuries.
public struct DriftingClock: Hashable, Sendable, BitwiseCopyable {
  private static let billion = Int128(1_000_000_000)
  private let partsPerBillion: Int128

  /// Creates a clock that gains `partsPerMillion` (loses, if negative) and shows 0 when the simulation does.
  ///
  /// - Throws: `NetworkConditionsError` beyond ±100000.
  public init(partsPerMillion: Double) throws(NetworkConditionsError) {
    guard (-100_000...100_000).contains(partsPerMillion) else { throw .drift(partsPerMillion: partsPerMillion) }
    partsPerBillion = Int128((partsPerMillion * 1000).rounded())
  }

  /// Returns the time that the clock shows at a moment of the simulation.
  public func localNanoseconds(at simulationNanoseconds: Int) -> Int {
    let product = Int128(simulationNanoseconds) * (Self.billion + partsPerBillion)
    return Int(product.dividedRoundingDown(by: Self.billion))
  }

  /// Returns the first moment of the simulation at which the clock shows `local` or more.
  public func simulationNanoseconds(atLocal local: Int) -> Int {
    let product = Int128(local) * Self.billion
    return Int(-(-product).dividedRoundingDown(by: Self.billion + partsPerBillion))
  }
}

extension Int128 {
  fileprivate func dividedRoundingDown(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
