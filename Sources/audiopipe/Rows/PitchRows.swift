import Engine
import PitchDetection

/// The pitch over time as other programs read it.
enum PitchRows {
  /// A row every 10 ms; `f0_hz` is 0 where nobody speaks with a voice.
  static func table(_ points: StoredRows<PitchPoint>) -> TableLines {
    TableLines(
      header: "time_s,f0_hz,voicing",
      rows: points.lazy.map { point in
        [
          VolumeRows.fixed(point.seconds, 4), VolumeRows.fixed(Double(point.estimate.hertz), 2),
          VolumeRows.fixed(Double(point.estimate.voicing), 3),
        ]
      })
  }

  /// The same as an array, under `pitch`.
  static func write(_ json: inout JSONWriter, _ points: StoredRows<PitchPoint>) {
    json.array("pitch") { json in
      for point in points {
        json.object { json in
          json.field("time_s", point.seconds, decimals: 4)
          json.field("f0_hz", Double(point.estimate.hertz), decimals: 2)
          json.field("voicing", Double(point.estimate.voicing), decimals: 3)
        }
      }
    }
  }

  /// The share of rows with a voice, and the pitch that half of them lie below, to 0.01 Hz; nil where there is none.
  static func summary(_ points: StoredRows<PitchPoint>) -> (voicedShare: Double, medianHertz: Double)? {
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
