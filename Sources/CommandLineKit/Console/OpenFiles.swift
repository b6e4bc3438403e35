import Glibc
import Platform

/// Limit of open files of this process.
package enum OpenFiles {
  /// Makes sure that a number of further files can be opened, before the first thread that could not do without.
  ///
  /// - Throws: exit code 69 if they cannot.
  package static func reserve(_ count: Int, for purpose: String) throws(CommandFailure) {
    // A process that cannot look has none left.
    let open = opendir("/proc/self/fd").map { folder -> Int in
      defer { closedir(folder) }
      var found = 0
      while readdir(folder) != nil { found += 1 }
      // Without ".", ".." and the folder itself.
      return found - 3
    }
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    try allow((open ?? Int(clamping: limit.rlim_cur)) + count, for: purpose)
  }

  /// Raises the limit, if need be and as far as the system allows.
  ///
  /// - Throws: exit code 69 if fewer files than `count` can be open.
  package static func allow(_ count: Int, for purpose: String) throws(CommandFailure) {
    if let sentence = OpenFileLimit.raise(to: count, for: purpose) { throw CommandFailure(.unavailable, sentence) }
  }
}
