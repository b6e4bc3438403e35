import Glibc

/// Waits for pipes and devices that are written to, but not for ever once a run shall end.
package enum PipeWriter {
  /// Bytes that a pipe which has room takes without making anybody wait.
  ///
  /// Source: pipe(7), PIPE_BUF on Linux.
  package static let bytes = 4_096

  /// Milliseconds that a reader is given once the run shall end.
  private static let graceMilliseconds = 2_000
  private static let lookMilliseconds = 100

  /// Returns when `descriptor` takes bytes or has failed, which writing to it will tell.
  ///
  /// Returns: false where nothing was taken for two seconds after `isCancelled` became true.
  package static func wait(for descriptor: Int32, isCancelled: () -> Bool) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    var waited = 0
    while poll(&request, 1, Int32(lookMilliseconds)) <= 0 {
      guard isCancelled() else { continue }
      waited += lookMilliseconds
      if waited > graceMilliseconds { return false }
    }
    return true
  }

  /// Opens a device or a named pipe for writing; a pipe without a reader is waited for until `isCancelled`.
  ///
  /// Returns: the descriptor, or the errno of what failed; ECANCELED where nobody came to read.
  package static func open(_ path: String, isCancelled: () -> Bool) -> (descriptor: Int32, failure: Int32) {
    var status = stat()
    let isPipe = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    while true {
      let descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (isPipe ? O_NONBLOCK : 0))
      if descriptor >= 0 { return (descriptor, 0) }
      let failure = errno
      guard failure == EINTR || isPipe && failure == ENXIO else { return (-1, failure) }
      if isCancelled() { return (-1, ECANCELED) }
      // Nothing tells that a reader has come but another try.
      if failure == ENXIO { poll(nil, 0, 20) }
    }
  }
}
