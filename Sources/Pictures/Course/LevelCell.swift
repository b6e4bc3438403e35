import FrameObservers
import Glibc
package import Metering

/// The level of all channels together, and whether somebody speaks.
package struct LevelCell: EnvelopeCell {
  private var level: FrameLevel
  private var samplesPerChannel: Int
  private var voiceSamples: Int

  package init(_ level: FrameLevel, samplesPerChannel: Int, isVoice: Bool) {
    self.level = level
    self.samplesPerChannel = samplesPerChannel
    voiceSamples = isVoice ? samplesPerChannel : 0
  }

  /// In dB relative to full scale; -infinity for silence.
  package var rmsDBFS: Double { VolumeScale.dBFS(meanSquare: level.meanSquare) }
  package var peakDBFS: Double { 20 * log10(Double(level.peak)) }
  /// True where somebody speaks in more than half of it.
  package var isVoice: Bool { 2 * voiceSamples > samplesPerChannel }

  package mutating func merge(_ next: LevelCell) {
    level.merge(next.level)
    samplesPerChannel += next.samplesPerChannel
    voiceSamples += next.voiceSamples
  }
}
