import Glibc

/// A folder for the files of a subject, which goes with all that is in it.
final class TemporaryFolder {
  let path: String

  init() throws(WrongResult) {
    var template = Array("/tmp/audiopipe-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw WrongResult("no temporary folder can be made") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { _ = unlinkat(dirfd(folder), $0, 0) }
        }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
