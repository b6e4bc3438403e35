import Calls
import CommandLineKit

extension CallLines.News {
  /// Sentence and exit code of a call that did not come about, or has broken off.
  func failure(_ options: CallOptions) -> CommandFailure {
    let peer = options.peer ?? caller ?? 0
    let text = self.text.isEmpty ? "" : " ('\(self.text)')"
    let sentence =
      switch reason {
      case .remoteCallBusy: "user \(peer) has another call; call again later"
      case .remoteRejected: "user \(peer) has rejected the call\(text); call again later"
      case .remoteCancelled:
        "user \(peer) has cancelled the call, or another session of user \(options.uid) has answered it"
      case .callingTimeout, .remoteCallingTimeout: "user \(peer) has not answered in time; call again later"
      case .remoteHangup: "the call of user \(peer) has ended before a sound was heard\(text); call again later"
      default: error?.message ?? "the call has ended\(text)"
      }
    if let error, reason == .joinRTCFailed { return CommandFailure(call: error) }
    return CommandFailure(.unavailable, sentence)
  }
}

extension CommandFailure {
  /// Wraps an error of a call, with the exit code that belongs to it.
  init(call error: CallError) {
    switch (error.type, ChannelErrorCode(rawValue: error.code)) {
    case (.rtc, let code?): self.init(channel: ChannelError(code, error.message, cause: error.cause))
    case (.normal, .invalidArgument): self = .usage(error.message)
    default: self.init(.unavailable, error.message)
    }
  }
}
