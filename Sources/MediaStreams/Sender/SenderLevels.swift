import AudioGraph
import Metering
import OpusCodec
import RTP

/// Audio level that a sender's packets carry, if they carry any.
///
/// Thread: audio. Real-time: wait-free.
struct SenderLevels: ~Copyable {
  /// Number of the header extension; nil if packets carry no level.
  let identifier: UInt8?
  private let scale = AudioLevelScale()
  /// Detector of speech; used only if packets carry a level.
  private var voice: VoiceActivity
  /// Whether somebody speaks in a frame of the packet that is being collected.
  private var hasVoice = false

  init(identifier: UInt8?, channelCount: Int) {
    self.identifier = identifier
    voice = VoiceActivity(sampleRate: OpusOptions.sampleRate, channelCount: channelCount)
  }

  /// Takes a frame of the packet that is being collected.
  @_noLocks
  mutating func observe(_ frame: Frame, channelCount: Int, count: Int) {
    guard case .some = identifier else { return }
    if voice.detect(frame.channel(0), stride: frame.planeStride, channelCount: channelCount, count: count) {
      hasVoice = true
    }
  }

  /// Takes a muted frame. Silence behind the end of speech without a pause still counts as speech; a mute counts at
  /// once.
  @_noLocks
  mutating func observeSilence() { _ = voice.detectSilence() }

  /// Ends the packet that is being collected.
  @_noLocks
  mutating func endPacket() { hasVoice = false }

  /// Returns the level of the packet's samples.
  @_noLocks
  func level(_ samples: UnsafePointer<Float>, count: Int) -> AudioLevel {
    scale.level(samples, count: count, hasVoice: hasVoice)
  }
}
