/// Exit code of the program, for the shell.
///
/// Source: BSD sysexits.h for 64 to 78; 128 + the signal's number for signals.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  /// Some of several inputs failed; each was named.
  case someFailed = 1
  /// The command line is wrong.
  case usage = 64
  /// The input is damaged or of a wrong kind.
  case badData = 65
  /// The input does not exist or cannot be read.
  case noInput = 66
  /// A relay or a device is not available.
  case unavailable = 69
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed before the end; the disk may be full.
  case inputOutput = 74
  /// The peer violated the protocol.
  case protocolError = 76
  /// The token was refused.
  case tokenRefused = 77
  /// A configuration file is wrong.
  case badConfiguration = 78
  /// SIGHUP.
  case hungUp = 129
  /// Ctrl-C (SIGINT).
  case interrupted = 130
  /// SIGTERM.
  case terminated = 143
}
