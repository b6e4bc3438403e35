import PitchDetection

/// The pitch over time as other programs read it.
enum PitchRows {
  /// A row every 10 ms; `f0_hz` is 0 where nobody speaks with a voice.
  static func table(_ points: [PitchPoint]) -> String {
    var table = "time_s,f0_hz,voicing\n"
    for point in points {
      table += VolumeRows.fixed(point.seconds, 4) + "," + VolumeRows.fixed(Double(point.estimate.hertz), 2) + ","
      table += VolumeRows.fixed(Double(point.estimate.voicing), 3) + "\n"
    }
    return table
  }

  /// The same as an array, under `pitch`.
  static func write(_ json: inout JSONWriter, _ points: [PitchPoint]) {
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

  /// The share of rows with a voice, and the pitch that half of them lie below; nil where there is none.
  static func summary(_ points: [PitchPoint]) -> (voicedShare: Double, medianHertz: Double)? {
    let voiced = points.map(\.estimate.hertz).filter { $0 > 0 }.sorted()
    guard !voiced.isEmpty else { return nil }
    return (Double(voiced.count) / Double(points.count), Double(voiced[voiced.count / 2]))
  }
}
