import Glibc

/// The true, absolute path of something that is there; nil where it is not.
package func realPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// Whether a path is a symbolic link, wherever that leads.
package func isSymbolicLink(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// The folder of a path's last component, as the path has it.
package func folderName(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  // `a//b` is `a/b`.
  guard let end = path[..<slash].lastIndex(where: { $0 != "/" }) else { return "/" }
  return String(path[...end])
}
