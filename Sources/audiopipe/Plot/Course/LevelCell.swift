import FrameObservers
import Glibc

/// The level of all channels together, and whether somebody speaks.
struct LevelCell: EnvelopeCell {
  private var level: FrameLevel
  private var samplesPerChannel: Int
  private var voiceSamples: Int

  init(_ level: FrameLevel, samplesPerChannel: Int, isVoice: Bool) {
    self.level = level
    self.samplesPerChannel = samplesPerChannel
    voiceSamples = isVoice ? samplesPerChannel : 0
  }

  /// In dB relative to full scale; -infinity for silence.
  var rmsDBFS: Double { VolumeScale.dBFS(meanSquare: level.meanSquare) }
  var peakDBFS: Double { 20 * log10(Double(level.peak)) }
  /// True where somebody speaks in more than half of it.
  var isVoice: Bool { 2 * voiceSamples > samplesPerChannel }

  mutating func merge(_ next: LevelCell) {
    level.merge(next.level)
    samplesPerChannel += next.samplesPerChannel
    voiceSamples += next.voiceSamples
  }
}
