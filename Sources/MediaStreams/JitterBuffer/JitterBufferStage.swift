/// What a receiver is doing.
public enum JitterBufferStage: UInt8, Sendable, BitwiseCopyable {
  /// No stream has come, or nothing for 15 s: the next packet is a first one.
  case idle
  /// A stream has begun and waits until its delay has passed.
  case starting
  /// Its packets are played, or made up while one or the other is missing.
  case playing
  /// The sender has said that it is silent (DTX).
  case pausing
  /// Nothing has come for so long that concealment has faded out.
  case frozen

  /// True while there is no stream.
  var isIdle: Bool {
    @_noLocks get {
      if case .idle = self { return true }
      return false
    }
  }

  /// True while packets are played.
  var isPlaying: Bool {
    @_noLocks get {
      if case .playing = self { return true }
      return false
    }
  }

  /// True while nothing of a stream has been played.
  var isWaiting: Bool {
    @_noLocks get {
      switch self {
      case .idle, .starting: return true
      case .playing, .pausing, .frozen: return false
      }
    }
  }

  /// True while no sound is played, so that the delay can be set anew.
  var isSilent: Bool {
    @_noLocks get { !isPlaying }
  }
}
