/// Accounts for every sample that passes an edge: what goes in comes out, is held, or has a named reason.
///
/// Balanced when floor(in * L / M) + inserted = out + held + dropped + removed, all in samples per channel at
/// the output's rate except `input`, with L / M the ratio of output to input rate.
public struct Ledger: Hashable, Sendable {
  /// Why samples appear or vanish on purpose.
  public enum Cause: Int, CaseIterable, Sendable {
    /// Made up in place of lost packets.
    case concealment
    /// Time-stretch of a jitter buffer.
    case stretch
    /// Correction of clock drift.
    case drift
    /// Repetition of a file.
    case loop
    /// The silence that fills a delay when a stream begins or drains it when it ends.
    case delay
    /// The silence that stands in for a source that had nothing to give.
    case underrun
    /// The silence of a source before it begins and after it has ended.
    case pause
    /// What a seek or a stop passed over.
    case skip
    /// The sample at the end of a conversion that reaches to the end of its last input, and its cut on the way back.
    case rounding
  }

  /// Samples that came in, at the input's rate.
  public var input = 0
  /// Samples that went out.
  public var output = 0
  /// Samples on their way.
  public var held = 0
  /// Samples lost because a ring was full.
  public var dropped = 0
  /// Samples added, by cause.
  public var inserted: [Cause: Int] = [:]
  /// Samples taken out, by cause.
  public var removed: [Cause: Int] = [:]

  /// An edge that nothing has passed yet.
  public init() {}

  /// All samples added.
  public var insertedTotal: Int { inserted.values.reduce(0, +) }

  /// All samples taken out.
  public var removedTotal: Int { removed.values.reduce(0, +) }

  /// The same way, from here through what follows: what comes in here goes out there.
  ///
  /// Both must be at one rate, and what goes out here must be what comes in there.
  public func followed(by next: Ledger) -> Ledger {
    var whole = self
    whole.output = next.output
    whole.held += next.held
    whole.dropped += next.dropped
    whole.inserted.merge(next.inserted, uniquingKeysWith: +)
    whole.removed.merge(next.removed, uniquingKeysWith: +)
    return whole
  }

  /// What is unaccounted for at a conversion from `inputRate` to `outputRate` Hz; 0 when the ledger closes.
  public func imbalance(from inputRate: Int = 1, to outputRate: Int = 1) -> Int {
    floorDivide(input * outputRate, inputRate) + insertedTotal - output - held - dropped - removedTotal
  }
}
