import FrameObservers
import Glibc
package import Metering

/// Level of all channels together, and voice activity.
package struct LevelBin: EnvelopeBin {
  private var level: FrameLevel
  private var samplesPerChannel: Int
  private var voiceSamples: Int

  package init(_ level: FrameLevel, samplesPerChannel: Int, isVoice: Bool) {
    self.level = level
    self.samplesPerChannel = samplesPerChannel
    voiceSamples = isVoice ? samplesPerChannel : 0
  }

  /// RMS level in dB relative to full scale; -infinity for silence.
  package var rmsDBFS: Double { VolumeScale.dBFS(meanSquare: level.meanSquare) }
  package var peakDBFS: Double { 20 * log10(Double(level.peak)) }
  /// Whether more than half of the samples are voice.
  package var isVoice: Bool { 2 * voiceSamples > samplesPerChannel }

  package mutating func merge(_ next: LevelBin) {
    level.merge(next.level)
    samplesPerChannel += next.samplesPerChannel
    voiceSamples += next.voiceSamples
  }
}
