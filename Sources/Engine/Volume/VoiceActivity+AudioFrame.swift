public import FrameObservers
public import Metering

extension VoiceActivity {
  /// Detects a voice in a frame that an observer receives in the pipeline's own format. Not for the audio thread.
  ///
  /// - Returns: Value of `isVoice`.
  public mutating func detect(_ frame: borrowing AudioFrame) -> Bool {
    frame.plane(0).withUnsafeBufferPointer { first in
      guard let start = first.baseAddress else { return detectSilence() }
      // SAFETY: the planes of a frame lie in one piece of memory, each as far from the one before.
      let stride = frame.channelCount > 1 ? frame.plane(1).withUnsafeBufferPointer { $0.baseAddress! - start } : 0
      return detect(start, stride: stride, channelCount: frame.channelCount, count: first.count)
    }
  }
}
