import FrameObservers
import Glibc
import Metering

/// The level of a stretch of sound.
public struct LevelInterval: Hashable, Sendable, BitwiseCopyable {
  /// What silence is shown as, in dBFS.
  public static let silenceDBFS = -120.0

  /// When it begins, in seconds.
  public let timeSeconds: Double
  /// 0 to 255 by the RMS, as `VolumeScale` has it.
  public let volume: Int
  /// Root mean square over all channels, in dB relative to full scale.
  public let rmsDBFS: Double
  /// Greatest magnitude, in dB relative to full scale.
  public let peakDBFS: Double
  /// True where somebody speaks in more than half of it.
  public let isVoice: Bool

  init(timeSeconds: Double, level: FrameLevel, isVoice: Bool) {
    self.timeSeconds = timeSeconds
    self.isVoice = isVoice
    volume = VolumeScale.volume(meanSquare: level.meanSquare)
    rmsDBFS = max(Self.silenceDBFS, VolumeScale.dBFS(meanSquare: level.meanSquare))
    peakDBFS = max(Self.silenceDBFS, 20 * log10(Double(level.peak)))
  }
}
