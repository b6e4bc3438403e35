import Channels
import Signalling

/// End of a session that the command did not request.
struct ChannelEnd: Sendable {
  let reason: ConnectionReason
  let error: ChannelError

  /// The relay's sentence, with a remedy if it has none.
  var sentence: String {
    guard !error.message.contains(";") else { return error.message }
    return switch reason {
    case .sameUserLogin: "\(error.message); give each user its own --uid"
    case .bannedByServer: "\(error.message); join with a token that lets the user publish"
    default: "\(error.message); join again later"
    }
  }

  /// Whether the token, or a right that it lacks, is the reason.
  var isTokenRefused: Bool {
    switch (reason, error.code) {
    case (.tokenExpired, _), (.invalidToken, _), (_, .tokenExpired), (_, .invalidToken): true
    default: error.cause == .right
    }
  }
}
