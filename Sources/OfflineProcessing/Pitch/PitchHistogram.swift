/// Counts of pitches to 0.01 Hz: quantiles in memory that does not grow with the rows.
struct PitchHistogram: Sendable {
  private var counts: [Int] = []
  private var voicedCount = 0
  private var rowCount = 0

  /// Share of the rows that have a pitch; 0 without rows.
  var voicedShare: Double { rowCount == 0 ? 0 : Double(voicedCount) / Double(rowCount) }

  mutating func add(_ row: PitchRow) { change(row, by: 1) }

  /// Takes back a row that was added.
  mutating func remove(_ row: PitchRow) { change(row, by: -1) }

  /// Returns the pitch in Hz below which `percent` of all pitches lie; nil without any.
  func quantile(percent: Int) -> Double? {
    guard voicedCount > 0 else { return nil }
    let rank = min(voicedCount - 1, voicedCount * percent / 100)
    var below = 0
    let index = counts.firstIndex { count in
      below += count
      return below > rank
    }!
    return Double(index) / 100
  }

  private mutating func change(_ row: PitchRow, by amount: Int) {
    rowCount += amount
    guard row.isVoiced else { return }
    let hundredths = Int((row.hertz * 100).rounded())
    if hundredths >= counts.count { counts += repeatElement(0, count: hundredths + 1 - counts.count) }
    counts[hundredths] += amount
    voicedCount += amount
  }
}
