/// How the program ends, for the shell.
///
/// Source: BSD sysexits.h for 64 to 78; 128 + the signal's number for signals.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  /// Some of several inputs failed; each was named.
  case someFailed = 1
  /// The command line is wrong.
  case usage = 64
  /// The input is not what it should be.
  case badData = 65
  /// There is no such input, or it may not be read.
  case noInput = 66
  /// A relay or a device is not there.
  case unavailable = 69
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed on the way; the disk may be full.
  case inputOutput = 74
  /// The other side broke the protocol.
  case protocolError = 76
  /// The token was refused.
  case tokenRefused = 77
  /// A configuration file is wrong.
  case badConfiguration = 78
  /// SIGHUP.
  case hungUp = 129
  /// ^C.
  case interrupted = 130
  /// SIGTERM.
  case terminated = 143
}
