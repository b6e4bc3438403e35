import Glibc

/// How well a pitch track agrees with what is known.
///
/// Source: Rabiner et al., "A comparative performance study of several pitch detection algorithms", 1976 (gross errors
/// and voicing errors).
public struct PitchScore: Sendable {
  /// Rows compared.
  public private(set) var rows = 0
  /// Rows that are voiced in truth, and those of them that were found voiced too.
  public private(set) var voiced = 0
  public private(set) var found = 0
  private var gross = 0
  private var near = 0
  private var voicingErrors = 0

  /// Nothing compared yet.
  public init() {}

  /// Compares one row; 0 Hz is unvoiced.
  public mutating func compare(_ hertz: Float, with truth: Float) {
    rows += 1
    if truth > 0 { voiced += 1 }
    if (truth > 0) != (hertz > 0) { voicingErrors += 1 }
    guard truth > 0, hertz > 0 else { return }
    found += 1
    if abs(hertz / truth - 1) > 0.2 { gross += 1 }
    if abs(1_200 * log2(hertz / truth)) < 50 { near += 1 }
  }

  /// Adds what another has counted.
  public mutating func add(_ other: PitchScore) {
    rows += other.rows
    voiced += other.voiced
    found += other.found
    gross += other.gross
    near += other.near
    voicingErrors += other.voicingErrors
  }

  /// Of the rows that both call voiced, the percentage that is wrong by more than 20 %.
  public var grossErrors: Double { found == 0 ? 0 : 100 * Double(gross) / Double(found) }
  /// Of the rows that are voiced in truth, the percentage that was found voiced and within 50 cents.
  public var withinHalfSemitone: Double { voiced == 0 ? 100 : 100 * Double(near) / Double(voiced) }
  /// Of the rows that both call voiced, the percentage within 50 cents.
  public var agreement: Double { found == 0 ? 100 : 100 * Double(near) / Double(found) }
  /// Of all rows, the percentage that was called voiced and is not, or the other way round.
  public var wronglyVoiced: Double { rows == 0 ? 0 : 100 * Double(voicingErrors) / Double(rows) }
}
