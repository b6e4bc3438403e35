import FrameObservers

/// An observer by the protocol: it looks at some positions and leaves the others to the defaults.
final class ProtocolObserver: AudioDataFrameObserver {
  private let calls: CallCount

  init(_ calls: CallCount) { self.calls = calls }

  func onMixedAudioFrame(_ frame: inout MutableAudioFrame) -> Bool {
    calls.add(frame.samples[0])
    return true
  }

  func onPlaybackAudioFrameBeforeMixing(_ frame: inout MutableAudioFrame, uid: UInt32) -> Bool {
    calls.add(frame.samples[0])
    return true
  }
}
