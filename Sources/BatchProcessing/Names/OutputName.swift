/// Name of a row's output below the folder of outputs: never absolute, without `.` and `..`.
package struct OutputName: Hashable, Sendable {
  /// Name of the copy of the sound.
  package let path: String

  /// Beginning of the names of tables and segments: the name without its extension.
  package var stem: String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[start...].lastIndex(of: "."), dot > start else { return path }
    return String(path[..<dot])
  }
}
