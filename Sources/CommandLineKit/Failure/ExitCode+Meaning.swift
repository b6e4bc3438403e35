extension ExitCode {
  /// One sentence for the manual page.
  package var meaning: String {
    switch self {
    case .success: "Success."
    case .someFailed: "Some of several inputs failed; a message names each of them."
    case .usage: "The command line is wrong."
    case .badData: "The input is damaged or of an unexpected kind."
    case .noInput: "An input does not exist or cannot be read."
    case .unavailable: "A device or the remote side is not available."
    case .cannotCreate: "An output cannot be created."
    case .inputOutput: "Reading or writing failed; the disk may be full."
    case .protocolError: "The remote side violated the protocol."
    case .tokenRefused: "The token was refused."
    case .badConfiguration: "A configuration file is wrong."
    case .hungUp: "The terminal was closed (SIGHUP)."
    case .interrupted: "Interrupted (SIGINT)."
    case .terminated: "Terminated (SIGTERM)."
    }
  }
}
