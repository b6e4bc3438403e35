import Glibc

/// Rows of a pitch track.
package struct PitchBin: EnvelopeBin {
  package private(set) var rowCount = 1
  package private(set) var voicedCount: Int
  /// Pitch of the first row with a voice, in Hz; `last`, `lowest` and `highest` are over rows with a voice, too.
  package private(set) var first: Float
  package private(set) var last: Float
  package private(set) var lowest: Float
  package private(set) var highest: Float
  /// Whether the first row has a voice; `endsVoiced` says it of the last row.
  package private(set) var beginsVoiced: Bool
  package private(set) var endsVoiced: Bool
  private var logarithmSum: Double
  private var logarithmSquareSum: Double

  /// Creates the bin of one row, with its pitch in Hz, 0 for none.
  package init(hertz: Float) {
    let isVoiced = hertz > 0
    voicedCount = isVoiced ? 1 : 0
    (first, last, lowest, highest) = (hertz, hertz, hertz, hertz)
    (beginsVoiced, endsVoiced) = (isVoiced, isVoiced)
    logarithmSum = isVoiced ? log(Double(hertz)) : 0
    logarithmSquareSum = logarithmSum * logarithmSum
  }

  /// Mean of the voiced rows on a logarithmic scale, in Hz, and the factor of their deviation; nil if none is voiced.
  package var center: (hertz: Double, spread: Double)? {
    guard voicedCount > 0 else { return nil }
    let mean = logarithmSum / Double(voicedCount)
    let variance = logarithmSquareSum / Double(voicedCount) - mean * mean
    return (exp(mean), exp(max(0, variance).squareRoot()))
  }

  package mutating func merge(_ next: PitchBin) {
    if next.voicedCount > 0 {
      if voicedCount == 0 { (first, lowest, highest) = (next.first, next.lowest, next.highest) }
      last = next.last
      lowest = min(lowest, next.lowest)
      highest = max(highest, next.highest)
    }
    rowCount += next.rowCount
    voicedCount += next.voicedCount
    endsVoiced = next.endsVoiced
    logarithmSum += next.logarithmSum
    logarithmSquareSum += next.logarithmSquareSum
  }
}
