extension NameTemplate {
  /// Checks that no two rows of a manifest have the same output, before anything is written. Memory: 8 bytes a row.
  ///
  /// - Parameters:
  ///   - manifest: Manifest of the rows.
  ///   - fileExtension: Extension of the outputs, such as `flac`; nil for that of each input.
  /// - Throws: `usage` that names both rows; as `name(of:in:fileExtension:)`.
  public func check(_ manifest: Manifest, fileExtension: String? = nil) throws(BatchError) {
    try NameCheck.check(manifest, comparesStems: false) { row throws(BatchError) in
      try name(of: row, in: manifest, fileExtension: fileExtension)
    }
  }
}
