import CPlatform

/// What libraries print of their own accord: libmpg123 has a line or more for each damaged frame.
///
/// What is wrong with a file is told as warnings and errors. A program whose messages may be JSON, or silenced, keeps
/// the rest off its stderr; other programs see it as ever.
package enum LibraryOutputFilter {
  /// Drops from now on what libraries that decode print. Thread: the main one, before there are others.
  package static func silence() { cplatform_filter_chatter() }

  /// Calls a library that may print.
  static func quietly<Result>(_ call: () -> Result) -> Result {
    cplatform_begin_quiet()
    defer { cplatform_end_quiet() }
    return call()
  }
}
