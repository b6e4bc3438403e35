import Glibc

/// A file with a secret or a private key.
enum SecretFile {
  /// Returns a sentence about a file that every user of the machine may read; nil if its mode keeps them out, or if it
  /// is not a regular file.
  static func exposure(of path: String) -> String? {
    var status = stat()
    guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & S_IROTH != 0
    else { return nil }
    let mode = String(status.st_mode & 0o7777, radix: 8)
    return "\(path): every user of this machine can read this secret (mode \(mode)); run: chmod o-rwx '\(path)'"
  }
}
