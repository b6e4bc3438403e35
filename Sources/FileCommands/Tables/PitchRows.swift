import Engine
import PitchDetection
import Platform

/// Pitch over time in results: a row every 10 ms; `f0_hz` is 0 without a voice.
enum PitchRows {
  static let schema = RowSchema<PitchPoint>(
    name: "pitch",
    columns: [
      .number("time_s", decimals: 4) { $0.seconds },
      .number("f0_hz", decimals: 2) { Double($0.estimate.hertz) },
      .number("voicing", decimals: 3) { Double($0.estimate.voicing) },
    ])

  /// Returns the share of rows with a voice, and their median pitch, to 0.01 Hz; nil if there is none.
  static func summary(_ points: SpooledRows<PitchPoint>) -> (voicedShare: Double, medianHertz: Double)? {
    // Counted, not sorted: there may be more rows than memory should hold.
    var counts: [Int] = []
    var voiced = 0
    for point in points where point.estimate.hertz > 0 {
      let hundredths = Int((point.estimate.hertz * 100).rounded())
      if hundredths >= counts.count { counts += repeatElement(0, count: hundredths + 1 - counts.count) }
      counts[hundredths] += 1
      voiced += 1
    }
    guard voiced > 0 else { return nil }
    var below = 0
    let median = counts.firstIndex { count in
      below += count
      return below > voiced / 2
    }!
    return (Double(voiced) / Double(points.count), Double(median) / 100)
  }
}
