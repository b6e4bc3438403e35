import FrameObservers
import Glibc
import Metering

/// The level of a span of sound.
public struct LevelInterval: Hashable, Sendable, BitwiseCopyable {
  /// Level that stands for silence, in dBFS.
  public static let silenceDBFS = -120.0

  /// Start of the span, in seconds.
  public let timeSeconds: Double
  /// Volume from the RMS by `VolumeScale`, 0 to 255.
  public let volume: Int
  /// Root mean square over all channels, in dB relative to full scale.
  public let rmsDBFS: Double
  /// Greatest magnitude, in dB relative to full scale.
  public let peakDBFS: Double
  /// Whether more than half of the span is voice.
  public let isVoice: Bool

  init(timeSeconds: Double, level: FrameLevel, isVoice: Bool) {
    self.timeSeconds = timeSeconds
    self.isVoice = isVoice
    volume = VolumeScale.volume(meanSquare: level.meanSquare)
    rmsDBFS = max(Self.silenceDBFS, VolumeScale.dBFS(meanSquare: level.meanSquare))
    peakDBFS = max(Self.silenceDBFS, 20 * log10(Double(level.peak)))
  }
}
