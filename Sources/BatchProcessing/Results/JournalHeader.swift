import JSON

/// First line of a journal: the work that its rows belong to.
package struct JournalHeader: Hashable, Sendable {
  package let shard: Shard
  /// Number of rows of the manifest.
  package let rowCount: Int
  /// Fingerprint of the manifest.
  package let manifest: String
  /// Fingerprint of the lengths by which rows were dealt out.
  package let lengths: String
  /// Options that determine the results, as on a command line.
  package let options: String

  package init(shard: Shard, rowCount: Int, manifest: String, lengths: String, options: String) {
    self.shard = shard
    self.rowCount = rowCount
    self.manifest = manifest
    self.lengths = lengths
    self.options = options
  }

  /// Creates the header of a planned shard.
  package init(plan: ShardPlan, manifest: Manifest, options: String) {
    self.init(
      shard: plan.shard, rowCount: manifest.count, manifest: manifest.fingerprint.text,
      // A single shard has all rows, whatever their lengths.
      lengths: plan.shard.count == 1 ? "" : plan.fingerprint.text, options: options)
  }

  /// The line without its end.
  var line: String {
    var json = JSONWriter()
    json.object { json in
      json.field("schema", 1)
      json.field("shard", shard.text)
      json.field("rows", rowCount)
      json.field("manifest", manifest)
      json.field("lengths", lengths)
      json.field("options", options)
    }
    return json.text
  }

  /// Reads a line; nil if it is not a header.
  init?(line: String) {
    guard let value = try? JSONReader.read(line), case .object(let fields) = value else { return nil }
    func text(_ key: String) -> String? {
      if case .text(let text) = fields.first(where: { $0.key == key })?.value { text } else { nil }
    }
    guard let shard = text("shard").flatMap({ try? Shard(option: $0) }), let manifest = text("manifest"),
      let lengths = text("lengths"), let options = text("options"),
      case .number(let rows) = fields.first(where: { $0.key == "rows" })?.value
    else { return nil }
    self.init(shard: shard, rowCount: Int(rows), manifest: manifest, lengths: lengths, options: options)
  }

  /// Returns the difference to other work in words; nil if there is none.
  package func difference(to other: JournalHeader) -> String? {
    if manifest != other.manifest || rowCount != other.rowCount { return "another manifest" }
    if options != other.options {
      func words(_ text: String) -> String { text.isEmpty ? "no options" : "the options '\(text)'" }
      return "\(words(options)), not \(words(other.options))"
    }
    return lengths == other.lengths ? nil : "files of other lengths"
  }
}
