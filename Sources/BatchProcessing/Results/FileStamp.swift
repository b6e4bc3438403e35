import Glibc

/// Size and time of a file, to notice that it has changed between two runs.
package struct FileStamp: Hashable, Sendable {
  /// The stamp as a journal has it: `size@seconds.nanoseconds`, without a space.
  package let text: String

  /// Reads the stamp of a file; nil if there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let nanoseconds = String(status.st_mtim.tv_nsec)
    let zeros = String(repeating: "0", count: max(0, 9 - nanoseconds.utf8.count))
    text = "\(status.st_size)@\(status.st_mtim.tv_sec).\(zeros)\(nanoseconds)"
  }

  /// A number that differs if the stamp does; never 0.
  package var number: UInt64 { Self.number(of: text) }

  static func number(of text: String) -> UInt64 { max(1, Fingerprint(text).value) }
}
