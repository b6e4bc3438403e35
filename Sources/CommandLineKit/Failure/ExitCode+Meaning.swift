extension ExitCode {
  /// One sentence for the manual page.
  package var meaning: String {
    switch self {
    case .success: "Success."
    case .someFailed: "Some of several inputs failed; each was named."
    case .usage: "The command line is wrong."
    case .badData: "The input is damaged or of an unexpected kind."
    case .noInput: "An input does not exist or cannot be read."
    case .unavailable: "A device or the other end is not available."
    case .cannotCreate: "An output cannot be created."
    case .inputOutput: "Reading or writing failed; the disk may be full."
    case .protocolError: "The other end broke the protocol."
    case .tokenRefused: "The token was refused."
    case .badConfiguration: "A configuration file is wrong."
    case .hungUp: "The terminal was closed (SIGHUP)."
    case .interrupted: "Interrupted (SIGINT)."
    case .terminated: "Terminated (SIGTERM)."
    }
  }
}
