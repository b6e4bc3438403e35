import Glibc

/// Limit of open files of this process.
package enum OpenFileLimit {
  /// Raises the limit, if need be and as far as the system allows.
  ///
  /// - Parameters:
  ///   - count: Number of files that are to be open at once.
  ///   - purpose: Name of the use of these files, in the plural.
  /// - Returns: A sentence with the remedy if fewer files can be open; nil if the limit is high enough.
  package static func raise(to count: Int, for purpose: String) -> String? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < rlim_t(count) else {
      return nil
    }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur >= rlim_t(count) else {
      return
        "\(purpose) need \(count) open files, and the system allows \(limit.rlim_max); raise the limit with ulimit -n \(count)"
    }
    return nil
  }
}
