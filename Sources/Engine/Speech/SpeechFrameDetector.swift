import FrameObservers
import Metering

/// Detects a voice in copies of frames of any length, 10 ms by 10 ms.
struct SpeechFrameDetector {
  private var activity: VoiceActivity
  private let blockCount: Int
  private let channelCount: Int
  /// Mono samples of the block that is being collected.
  private var block: [Float] = []

  init(_ frame: AudioFrameCopy) {
    activity = VoiceActivity(sampleRate: frame.sampleRate, channelCount: 1)
    blockCount = max(1, frame.sampleRate / 100)
    channelCount = frame.channelCount
  }

  /// Calls `report` for each 10 ms that the frame completes.
  mutating func detect(_ frame: AudioFrameCopy, _ report: (_ isVoice: Bool) -> Void) {
    for index in 0..<frame.samplesPerChannel {
      var sum: Float = 0
      for channel in 0..<channelCount { sum += Float(frame.samples[index * channelCount + channel]) }
      block.append(sum / Float(channelCount) * 0x1p-15)
      guard block.count == blockCount else { continue }
      report(
        block.withUnsafeBufferPointer {
          activity.detect($0.baseAddress!, stride: 0, channelCount: 1, count: blockCount)
        })
      block.removeAll(keepingCapacity: true)
    }
  }
}
