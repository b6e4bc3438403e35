import Glibc

/// Whether tests that can take hours do: where AUDIOPIPE_LONG=1 is set.
public enum LongRun {
  public static let isWanted = getenv("AUDIOPIPE_LONG").map { String(cString: $0) } == "1"

  /// Limit of such a test: two days, or that of the others.
  public static let minutes = isWanted ? 2 * 24 * 60 : 10
}
