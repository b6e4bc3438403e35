/// Name of a row's output below the folder of outputs: never absolute, without `.` and `..`.
public struct OutputName: Hashable, Sendable {
  /// Name of the copy of the sound.
  public let path: String

  /// Whether the command itself writes files of such a name: results, lengths, and parts of files.
  var isReserved: Bool {
    if path.hasSuffix(".part") || path.hasPrefix("lengths-") { return true }
    return path.hasPrefix("results-")
      && [".journal", ".jsonl", ".csv"].contains { Shard(fileName: path, fileExtension: $0) != nil }
  }

  /// Beginning of the names of tables and segments: the name without its extension.
  public var stem: String {
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
    guard let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")), dot > start else { return path }
    return String(path[..<dot])
  }
}
