import Channels
import CommandLineKit
import Signalling

extension CommandFailure {
  /// Wraps an error of a channel, with the exit code that belongs to it.
  init(channel error: ChannelError) { self.init(joining: ChannelEnd(reason: .joinFailed, error: error)) }

  /// Wraps the refusal of a join.
  init(joining end: ChannelEnd) {
    switch end.error.code {
    case _ where end.isTokenRefused: self.init(.tokenRefused, end.numberedSentence)
    case .invalidArgument, .channelName, .user: self = .usage(end.error.message)
    default: self.init(.unavailable, end.numberedSentence)
    }
  }

  /// Wraps the end of a channel that was joined.
  init(joined end: ChannelEnd) {
    self.init(
      end.isTokenRefused ? .tokenRefused : .unavailable, "the channel has ended: \(end.numberedSentence)")
  }
}

extension ChannelEnd {
  /// The sentence with the number of the error, if it has one of its own.
  fileprivate var numberedSentence: String {
    error.code == .general ? sentence : "\(sentence) (\(error.code.rawValue))"
  }
}
