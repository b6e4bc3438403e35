/// Stage of a receiver.
public enum JitterBufferStage: UInt8, Sendable, BitwiseCopyable {
  /// No stream has come, or no packet for 15 s: the next packet is a first one.
  case idle
  /// A stream has begun and waits until its delay has passed.
  case starting
  /// Packets are played, and missing ones are concealed.
  case playing
  /// The sender has said that it is silent (DTX).
  case pausing
  /// No packet has come for so long that concealment has faded out.
  case frozen

  /// Whether no stream is received.
  var isIdle: Bool {
    @_noLocks get {
      if case .idle = self { return true }
      return false
    }
  }

  /// Whether packets are played.
  var isPlaying: Bool {
    @_noLocks get {
      if case .playing = self { return true }
      return false
    }
  }

  /// Whether nothing of a stream has been played.
  var isWaiting: Bool {
    @_noLocks get {
      switch self {
      case .idle, .starting: return true
      case .playing, .pausing, .frozen: return false
      }
    }
  }

  /// Whether no sound is played, so that the delay can be set again.
  var isSilent: Bool {
    @_noLocks get { !isPlaying }
  }
}
