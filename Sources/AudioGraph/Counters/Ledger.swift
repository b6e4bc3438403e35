/// Accounts for every sample that passes an edge: each comes out, is held, or has a named reason.
///
/// Balanced when floor(in * L / M) + inserted = out + held + dropped + removed. All counts are in samples per channel
/// at the output's rate, except `input`. L / M is the ratio of output to input rate.
public struct Ledger: Hashable, Sendable {
  /// Cause of samples that appear or vanish on purpose.
  public enum Cause: Int, CaseIterable, Sendable {
    /// Concealment of lost packets.
    case concealment
    /// Time-stretch of a jitter buffer.
    case stretch
    /// Correction of clock drift.
    case drift
    /// Repetition of a file.
    case loop
    /// The silence that fills a delay when a stream begins or drains it when it ends.
    case delay
    /// The silence in place of a source that had no samples to give.
    case underrun
    /// The silence of a source before it begins and after it has ended.
    case pause
    /// Samples that a seek or a stop skipped.
    case skip
    /// The extra sample at the end of a conversion that reaches to the end of its last input, and its cut in the
    /// reverse conversion.
    case rounding
  }

  /// Samples that came in, in samples per channel at the input's rate.
  public var input = 0
  /// Samples that went out, in samples per channel at the output's rate.
  public var output = 0
  /// Samples in transit, in samples per channel at the output's rate.
  public var held = 0
  /// Samples lost because a ring was full, in samples per channel at the output's rate.
  public var dropped = 0
  /// Samples added, by cause, in samples per channel at the output's rate.
  public var inserted: [Cause: Int] = [:]
  /// Samples removed, by cause, in samples per channel at the output's rate.
  public var removed: [Cause: Int] = [:]

  /// Creates the ledger of an edge that no sample has passed yet.
  public init() {}

  /// Total of the added samples, in samples per channel at the output's rate.
  public var insertedTotal: Int { inserted.values.reduce(0, +) }

  /// Total of the removed samples, in samples per channel at the output's rate.
  public var removedTotal: Int { removed.values.reduce(0, +) }

  /// Returns one ledger for this edge followed by `next`.
  ///
  /// Both must be at one rate, and the output of this edge must be the input of `next`.
  public func followed(by next: Ledger) -> Ledger {
    var whole = self
    whole.output = next.output
    whole.held += next.held
    whole.dropped += next.dropped
    whole.inserted.merge(next.inserted, uniquingKeysWith: +)
    whole.removed.merge(next.removed, uniquingKeysWith: +)
    return whole
  }

  /// Returns the unaccounted samples of a conversion from `inputRate` to `outputRate` Hz; 0 when the ledger closes.
  public func imbalance(from inputRate: Int = 1, to outputRate: Int = 1) -> Int {
    floorDivide(input * outputRate, inputRate) + insertedTotal - output - held - dropped - removedTotal
  }
}
