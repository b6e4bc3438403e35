import Channels
import CommandLineKit
import Signalling

extension CommandFailure {
  /// Wraps an error of a channel, with the exit code that belongs to it.
  init(channel error: ChannelError) {
    switch error.code {
    case .tokenExpired, .invalidToken: self.init(.tokenRefused, "\(error.message) (\(error.code.rawValue))")
    case .invalidArgument, .channelName, .user: self = .usage(error.message)
    default: self.init(.unavailable, "\(error.message) (\(error.code.rawValue))")
    }
  }
}
