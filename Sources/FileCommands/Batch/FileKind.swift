import Glibc

/// Returns the kind of a file, `S_IFREG` or another one; nil if there is none.
func fileKind(of path: String) -> mode_t? {
  var status = stat()
  return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
}
