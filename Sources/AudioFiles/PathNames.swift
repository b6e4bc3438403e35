import Glibc

/// Returns the true, absolute path of an existing file; nil if there is none.
package func realPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// Returns whether a path is a symbolic link, even a dangling one.
package func isSymbolicLink(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// Returns the folder of a path's last component, in the path's own notation.
package func folderName(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  // `a//b` is `a/b`.
  guard let end = path[..<slash].lastIndex(where: { $0 != "/" }) else { return "/" }
  return String(path[...end])
}

/// Returns the last component of a path.
package func fileName(of path: String) -> String {
  String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
}
