package import JSON

/// Result of one row of a manifest, which is the same in every run. A value is nil if it was not measured.
public struct ResultRow: Hashable, Sendable {
  /// A value of a column.
  private enum Value {
    case text(String?)
    case whole(Int?)
    case number(Double?, decimals: Int)
    case texts([String])
  }

  /// Number of the row in the manifest, from 1.
  public var index: Int
  /// Path as the manifest has it.
  public var path: String
  /// Beginning of the part in the file, in seconds; nil for the whole file.
  public var start: Double?
  /// Name of the copy below the folder of outputs; nil without one.
  public var output: String?
  /// Length in seconds.
  public var duration: Double?
  /// Integrated loudness in LUFS.
  public var integratedLoudness: Double?
  /// True peak in dBTP.
  public var truePeak: Double?
  /// Level in dBFS.
  public var rms: Double?
  /// Median of the pitch in Hz.
  public var pitchMedian: Double?
  /// Pitch in Hz below which 5 % of the rows with a voice are, and above which 5 % are.
  public var pitchRange: ClosedRange<Double>?
  /// Share of speech, 0...1.
  public var speechShare: Double?
  /// Number of samples at either end of the range of 16 bits, or beyond.
  public var clippedSamples: Int?
  /// Sentences about the file.
  public var warnings: [String] = []
  /// Reason of a failure; nil if the row is done.
  public var error: String?

  /// Creates a row without results.
  ///
  /// - Parameters:
  ///   - index: Number of the row in the manifest, from 1.
  ///   - path: Path as the manifest has it.
  public init(index: Int, path: String) {
    self.index = index
    self.path = path
  }

  /// Creates a row of the manifest without results.
  ///
  /// - Parameter row: Row of the manifest.
  public init(of row: ManifestRow) {
    self.init(index: row.index, path: row.path)
    start = row.start
  }

  private var columns: [(name: String, value: Value)] {
    [
      ("index", .whole(index)), ("path", .text(path)), ("start_s", .number(start, decimals: 3)),
      ("output", .text(output)), ("duration_s", .number(duration, decimals: 3)),
      ("integrated_lufs", .number(integratedLoudness, decimals: 2)), ("true_peak_dbtp", .number(truePeak, decimals: 2)),
      ("rms_dbfs", .number(rms, decimals: 2)), ("pitch_median_hz", .number(pitchMedian, decimals: 2)),
      ("pitch_low_hz", .number(pitchRange?.lowerBound, decimals: 2)),
      ("pitch_high_hz", .number(pitchRange?.upperBound, decimals: 2)),
      ("speech_share", .number(speechShare, decimals: 4)), ("clipped_samples", .whole(clippedSamples)),
      ("warnings", .texts(warnings)), ("outcome", .text(error == nil ? "ok" : "failed")), ("error", .text(error)),
    ]
  }

  /// Header of the table with commas.
  package static let csvHeader = ResultRow(index: 0, path: "").columns.map(\.name).joined(separator: ",")

  /// The row as one JSON object.
  public var json: String {
    var json = JSONWriter()
    json.object { write(&$0) }
    return json.text
  }

  /// Writes the fields of the row into an object.
  package func write(_ json: inout JSONWriter) {
    json.field("schema", 1)
    for (name, value) in columns {
      json.key(name)
      switch value {
      case .text(let text?): json.value(text)
      case .whole(let number?): json.value(number)
      case .number(let number?, let decimals): json.value(number, decimals: decimals)
      case .texts(let texts): json.array { json in for text in texts { json.value(text) } }
      case .text(nil), .whole(nil), .number(nil, _): json.null()
      }
    }
  }

  /// Returns the line of a table with commas for the JSON of a row; nil if it is not one.
  package static func csv(of json: String) -> String? {
    guard let value = try? JSONReader.read(json), case .object(let fields) = value else { return nil }
    return fields.dropFirst().map { field in
      switch field.value {
      case .null: ""
      case .flag(let flag): "\(flag)"
      case .number(let number): ["index", "clipped_samples"].contains(field.key) ? String(Int(number)) : String(number)
      case .text(let text): CSVLine.cell(text)
      case .array(let values):
        CSVLine.cell(values.map { if case .text(let text) = $0 { text } else { "" } }.joined(separator: "; "))
      case .object: ""
      }
    }.joined(separator: ",")
  }
}
