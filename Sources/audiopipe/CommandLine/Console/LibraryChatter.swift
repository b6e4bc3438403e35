@preconcurrency import Glibc

/// What libraries print of their own accord: libmpg123 has a line or more for each damaged frame.
///
/// What is wrong with a file is told in the program's own words, as text or JSON, and `--quiet` holds for all of it.
enum LibraryChatter {
  /// Sends what is printed to the C library's `stderr` nowhere; messages go to descriptor 2 and stay.
  ///
  /// Thread: the main one, before there are others.
  static func silence() {
    if let nowhere = fopen("/dev/null", "ae") { stderr = nowhere }
  }
}
