import Glibc
import Platform

/// Rows of all shards of a manifest, in its order. Memory: 8 bytes a row.
package struct MergedTable {
  /// Shards with a journal.
  package let shards: [Shard]
  /// Number of rows that failed.
  package let failedCount: Int
  /// Position of each row: the shard's place in `shards`, and the offset in its journal; 0 for a missing row.
  private let places: [UInt64]
  private let journals: [OpenJournal]
  private static let offsetBits: UInt64 = 44

  /// A journal that is only read.
  private final class OpenJournal {
    let descriptor: Int32
    let path: String

    init(path: String) throws(BatchError) {
      self.path = path
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw BatchError(.noInput, "\(path): cannot be read (\(BatchError.text(errno)))")
      }
    }

    deinit { close(descriptor) }
  }

  /// Reads the journals of a folder.
  ///
  /// - Parameters:
  ///   - folder: folder of the outputs.
  ///   - manifest: manifest of the rows.
  ///   - count: number of shards; nil if the folder decides.
  ///   - options: options that the results have to be of; nil for any.
  /// - Throws: `noInput` without results, `usage` for results of several numbers of shards or of other work.
  package init(folder: String, manifest: Manifest, count: Int?, options: String?) throws(BatchError) {
    let found = try Self.shards(in: folder)
    let counts = Set(found.map(\.count)).sorted()
    guard count != nil || counts.count <= 1 else {
      let text = counts.map(String.init).joined(separator: " and of ")
      throw .usage("\(folder): there are results of \(text) shards; say which by --shards N")
    }
    guard let count = count ?? counts.first, counts.contains(count) else {
      throw BatchError(
        .noInput, "\(folder): the folder has no results\(count.map { " of \($0) shards" } ?? ""); run the shards first")
    }
    shards = found.filter { $0.count == count }
    var places = [UInt64](repeating: 0, count: manifest.count)
    var journals: [OpenJournal] = []
    var failed = 0
    var first: JournalHeader?
    if let sentence = OpenFileLimit.raise(to: shards.count + 64, for: "the results of \(shards.count) shards") {
      throw BatchError(.unavailable, sentence)
    }
    for (place, shard) in shards.enumerated() {
      let journal = try OpenJournal(path: folder + "/" + shard.fileStem + Journal.fileExtension)
      var header: JournalHeader?
      var failedHere: Set<Int> = []
      try Journal.load(journal.descriptor, journal.path) { (line: JournalHeader) in
        header = line
      } row: { line, offset in
        guard line.position < places.count else { return }
        places[line.position] = UInt64(place) << Self.offsetBits | UInt64(offset)
        if line.isFailed { failedHere.insert(line.position) } else { failedHere.remove(line.position) }
      } end: { _ in
      }
      failed += failedHere.count
      journals.append(journal)
      guard let header else { continue }
      guard header.manifest == manifest.fingerprint.text else {
        throw .usage(
          "\(journal.path): the results there are of another manifest than \(manifest.name); give that one")
      }
      if let options, header.options != options {
        throw .usage(
          "\(journal.path): the results there are of the options '\(header.options)', not '\(options)'; leave those out"
        )
      }
      if let first, let difference = first.difference(to: header) {
        throw .usage(
          "\(folder): shard \(first.shard.text) has results of \(difference), which is what shard \(shard.text) has; "
            + "run one of them again with --overwrite")
      }
      first = first ?? header
    }
    self.places = places
    self.journals = journals
    failedCount = failed
  }

  /// Number of shards of the manifest.
  package var shardCount: Int { shards.first?.count ?? 0 }

  /// Number of rows without a result.
  package var missingCount: Int { places.count { $0 == 0 } }

  /// Returns whether the row at a position, from 0, has no result.
  package func isMissing(_ position: Int) -> Bool { places[position] == 0 }

  /// Rows as JSON, in the order of the manifest.
  package var lines: some Sequence<String> {
    let scanners = journals.map { LineScanner(descriptor: $0.descriptor, name: $0.path) }
    return places.lazy.filter { $0 != 0 }.map { place in
      withExtendedLifetime(journals) {
        Journal.json(
          scanners[Int(place >> Self.offsetBits)], Int(place & (1 << Self.offsetBits - 1)))
      }
    }
  }

  /// Returns the shards with a journal in a folder, by their numbers.
  package static func shards(in folder: String) throws(BatchError) -> [Shard] {
    guard let names = folderNames(folder) else {
      throw BatchError(.noInput, "\(folder): cannot be read (\(BatchError.text(errno))); check the name")
    }
    return names.compactMap { Shard(fileName: $0, fileExtension: Journal.fileExtension) }
      .sorted { $0.number < $1.number }
  }
}
