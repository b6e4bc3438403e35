import Glibc

/// Waits for pipes and devices that are written to, but not forever once a run shall end.
package enum PipeWriter {
  /// Bytes that a pipe with free capacity takes without a wait.
  ///
  /// Source: pipe(7), PIPE_BUF on Linux.
  package static let bytes = 4_096

  /// Milliseconds that a reader gets once the run shall end.
  private static let graceMilliseconds = 2_000
  private static let lookMilliseconds = 100

  /// Waits until `descriptor` takes bytes or has failed, which a write to it shows.
  ///
  /// - Returns: Whether to write; false if no bytes were taken for two seconds after `isCancelled` became true.
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

  /// Opens a device or a named pipe for writing; waits for the reader of a pipe until `isCancelled`.
  ///
  /// - Returns: The descriptor, or the errno of the failure; ECANCELED if no reader came.
  package static func open(_ path: String, isCancelled: () -> Bool) -> (descriptor: Int32, failure: Int32) {
    var status = stat()
    let isPipe = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    while true {
      let descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (isPipe ? O_NONBLOCK : 0))
      if descriptor >= 0 { return (descriptor, 0) }
      let failure = errno
      guard failure == EINTR || isPipe && failure == ENXIO else { return (-1, failure) }
      if isCancelled() { return (-1, ECANCELED) }
      // Only another try shows that a reader has come.
      if failure == ENXIO { poll(nil, 0, 20) }
    }
  }
}
