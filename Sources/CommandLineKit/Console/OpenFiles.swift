import Glibc

/// Limit of open files of this process.
package enum OpenFiles {
  /// Raises the limit, if need be and as far as the system allows.
  ///
  /// - Throws: exit code 69 if fewer files than `count` can be open.
  package static func allow(_ count: Int, for purpose: String) throws(CommandFailure) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < rlim_t(count) else {
      return
    }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur >= rlim_t(count) else {
      throw CommandFailure(
        .unavailable,
        "\(purpose) need \(count) open files, and the system allows \(limit.rlim_max); raise the limit with ulimit -n \(count)"
      )
    }
  }
}
