/// Finds two outputs of one name before anything is written. Memory: 8 bytes a row.
///
/// Names are compared as bytes, as the system does: two spellings of an accent are two files.
package enum NameCheck {
  /// Checks that no two rows have the same output, or, with `comparesStems`, the same beginning of their names.
  ///
  /// - Throws: `usage` that names both rows.
  package static func check(
    _ manifest: Manifest, comparesStems: Bool, name: (ManifestRow) throws(BatchError) -> OutputName
  ) throws(BatchError) {
    // Outputs of different stems are different, too.
    func text(_ row: ManifestRow) throws(BatchError) -> String {
      let name = try name(row)
      return comparesStems ? name.stem : name.path
    }
    var numbers: [UInt64] = []
    numbers.reserveCapacity(manifest.count)
    // Folders that rows name themselves; those of the template are the inputs' folders.
    var folders: [[UInt8]: Int] = [:]
    try manifest.forEach { _, row throws(BatchError) in
      numbers.append(Fingerprint(try text(row)).value)
      guard row.output != nil else { return }
      let path = try name(row).path
      let bytes = Array(path.utf8)
      for index in bytes.indices where bytes[index] == UInt8(ascii: "/") { folders[Array(bytes[..<index])] = row.index }
    }
    if !folders.isEmpty {
      try manifest.forEach { _, row throws(BatchError) in
        let path = try name(row).path
        guard let other = folders[Array(path.utf8)] else { return }
        throw .usage(
          "row \(row.index) would be written as '\(path)', which is a folder for row \(other); change one name")
      }
    }
    numbers.sort()
    var doubles: Set<UInt64> = []
    for (one, other) in zip(numbers, numbers.dropFirst()) where one == other && doubles.count < 1_000 {
      doubles.insert(one)
    }
    guard !doubles.isEmpty else { return }
    // Equal numbers are nearly always equal names.
    var first: [[UInt8]: ManifestRow] = [:]
    try manifest.forEach { _, row throws(BatchError) in
      let name = try text(row)
      guard doubles.contains(Fingerprint(name).value) else { return }
      guard let other = first.updateValue(row, forKey: Array(name.utf8)) else { return }
      let fault =
        "rows \(other.index) ('\(other.path)') and \(row.index) ('\(row.path)') would both be written as '\(name)"
        + "\(comparesStems ? ".*" : "")'; tell them apart by"
      throw BatchError(
        .usage, "\(fault) {dir} or {index} in the template", inCommand: "\(fault) --name with {dir} or {index}")
    }
  }
}
