import CPlatform

/// Filter for output that libraries print unasked: libmpg123 has a line or more for each damaged frame.
///
/// Warnings and errors report the faults of a file. A program with JSON messages, or with silenced ones, keeps the
/// libraries' own output off its stderr; other programs see it as ever.
public enum LibraryOutputFilter {
  /// Drops all later output of libraries that decode. Thread: the main one, before there are others.
  public static func silence() { cplatform_filter_chatter() }

  /// Calls a library that may print.
  static func quietly<Result>(_ call: () -> Result) -> Result {
    cplatform_begin_quiet()
    defer { cplatform_end_quiet() }
    return call()
  }
}
