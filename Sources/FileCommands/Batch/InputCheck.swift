import AudioFiles
import BatchProcessing
import Glibc

/// Finds an output that would replace the input of a row, before anything is written. Memory: 16 bytes a row.
///
/// Files are compared by their numbers, so that links count, and by name within the folder's number: a file that does
/// not exist yet may be an input, too, once another row has written it.
struct InputCheck {
  /// Folder whose number is known, as most rows share theirs.
  private var folder = ""
  private var folderNumber: UInt64 = 0

  private init() {}

  /// Checks all rows of a manifest.
  ///
  /// - Parameters:
  ///   - manifest: Manifest of the rows.
  ///   - outputs: Returns the paths that a row writes, and the folders that it empties.
  /// - Throws: A usage failure that names both rows.
  static func check(
    _ manifest: Manifest, outputs: (ManifestRow) throws(BatchError) -> [String]
  ) throws(BatchError) {
    var check = InputCheck()
    var written: [UInt64] = []
    try manifest.forEach { _, row throws(BatchError) in
      for path in try outputs(row) { written += check.numbers(of: path) }
    }
    written.sort()
    var found: (reader: ManifestRow, number: UInt64)?
    try manifest.forEach { _, row throws(BatchError) in
      guard found == nil else { return }
      let path = manifest.path(of: row)
      let numbers = check.numbers(of: path) + check.numbers(of: folderName(of: path))
      if let number = numbers.first(where: { written.sortedIndex(of: $0) != nil }) { found = (row, number) }
    }
    guard let found else { return }
    try manifest.forEach { _, row throws(BatchError) in
      for path in try outputs(row) where check.numbers(of: path).contains(found.number) {
        throw .usage(
          "row \(row.index) would replace '\(path)', the input of row \(found.reader.index) ('\(found.reader.path)'); "
            + "use another --out-dir or --name")
      }
    }
  }

  /// Returns the numbers by which a file is known: of its folder and name, and of the file itself if there is one.
  private mutating func numbers(of path: String) -> [UInt64] {
    let parent = folderName(of: path)
    if !parent.utf8.elementsEqual(folder.utf8) {
      folder = parent
      folderNumber = Self.number(ofExisting: parent) ?? Fingerprint(parent).value
    }
    var name = Fingerprint(fileName(of: path))
    withUnsafeBytes(of: folderNumber) { name.add($0) }
    return [name.value] + (Self.number(ofExisting: path).map { [$0] } ?? [])
  }

  private static func number(ofExisting path: String) -> UInt64? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    var number = Fingerprint()
    withUnsafeBytes(of: status.st_dev) { number.add($0) }
    withUnsafeBytes(of: status.st_ino) { number.add($0) }
    return number.value
  }
}
