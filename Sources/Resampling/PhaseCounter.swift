/// Counts exactly how many samples a rate conversion gives for each call.
///
/// After any number of calls, the total given is floor(total taken x L / M). L / M is the ratio of the rates in lowest
/// terms. Only the remainder is kept between calls, so nothing overflows in years of streaming. Counts are samples per
/// channel.
public struct PhaseCounter: BitwiseCopyable, Hashable, Sendable {
  /// L: samples given for every `inputPerCycle` samples taken.
  public let outputPerCycle: Int
  /// M: smallest number of input samples that give a whole number of output samples.
  public let inputPerCycle: Int
  /// Samples taken since the beginning.
  public private(set) var inputTotal = 0
  /// Samples given since the beginning: floor(`inputTotal` x L / M).
  public private(set) var outputTotal = 0
  // inputTotal * L - outputTotal * M, always in 0..<M.
  @usableFromInline private(set) var remainder = 0

  /// Creates a counter for a conversion from `inputRate` to `outputRate`, both in Hz and above zero.
  public init(from inputRate: Int, to outputRate: Int) {
    precondition(inputRate > 0 && outputRate > 0, "a sample rate must be above zero")
    let divisor = greatestCommonDivisor(inputRate, outputRate)
    outputPerCycle = outputRate / divisor
    inputPerCycle = inputRate / divisor
  }

  /// Takes `count` samples and returns the number of samples due for them.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func outputCount(forInput count: Int) -> Int {
    precondition(count >= 0, "a sample count cannot be negative")
    let due = remainder + count * outputPerCycle
    let given = due / inputPerCycle
    remainder = due &- given &* inputPerCycle
    inputTotal &+= count
    outputTotal &+= given
    return given
  }

  /// Whether a part of an output sample is left over.
  @inlinable public var hasRemainder: Bool { remainder > 0 }

  /// Restarts at sample 0.
  @_noLocks
  public mutating func reset() {
    inputTotal = 0
    outputTotal = 0
    remainder = 0
  }

  /// Returns the largest number of samples that any call can give for `count` samples.
  @_noLocks
  public func maximumOutputCount(forInput count: Int) -> Int {
    (count * outputPerCycle + inputPerCycle - 1) / inputPerCycle
  }
}

/// Returns the largest number that divides both, by Euclid's algorithm; both are above zero.
func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
  var (larger, smaller) = (first, second)
  while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
  return larger
}
