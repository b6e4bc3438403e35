import Glibc

/// stdin, stdout and stderr, which whoever starts a program may leave closed.
enum StandardDescriptors {
  /// Takes the numbers of those that are closed, so that no file that is opened later becomes one of them: what is
  /// meant for stdout would otherwise be written into a sound file. Called before anything else is opened.
  ///
  /// Source: stdopen of gnulib: each is opened the wrong way round, so that using it fails as if it were closed.
  static func reserve() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is given, and those below are taken.
      let opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
      guard opened < 0 else { continue }
      // Without /dev, as in a bare chroot, an end of a pipe does as well.
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
