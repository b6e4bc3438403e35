import Glibc

/// stdin, stdout and stderr, which may be closed when the program starts.
package enum StandardDescriptors {
  /// Takes the numbers of closed ones, so that no file that is opened later becomes one of them.
  ///
  /// Otherwise a text for stdout would be written into a sound file. Called before anything else is opened.
  ///
  /// Source: stdopen of gnulib: each is opened in the wrong direction, so that its use fails as if it were closed.
  package static func reserve() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The system gives the lowest free number, and those below are taken.
      let opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
      guard opened < 0 else { continue }
      // Without /dev, as in a bare chroot, an end of a pipe is as good.
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return }
      close(ends[descriptor == 0 ? 0 : 1])
      let kept = ends[descriptor == 0 ? 1 : 0]
      if kept != descriptor {
        dup2(kept, descriptor)
        close(kept)
      }
    }
  }
}
