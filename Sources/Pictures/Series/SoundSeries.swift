import FrameObservers
import Metering

/// The series of a sound over time, in memory that does not grow with it.
public struct SoundSeries: Sendable {
  /// Largest number of cells of a waveform, a level and a pitch: half of them are as many as a large screen has
  /// columns.
  package static let capacity = 4096

  package let sampleRate: Int
  /// Waveform of each channel, in samples.
  package private(set) var waves: [Envelope<WaveBin>]
  /// Level of all channels, in samples of one channel.
  package private(set) var levels: Envelope<LevelBin>

  package init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = sampleRate
    waves = Array(repeating: Envelope(capacity: Self.capacity), count: channelCount)
    // 10 ms: the level of a shorter span depends more on the phase than on the voice.
    levels = Envelope(capacity: Self.capacity, unitsPerCell: sampleRate / 100)
  }

  /// Duration of the sound, in seconds.
  public var seconds: Double { Double(levels.count) / Double(sampleRate) }

  /// Adds samples of all channels.
  package mutating func append(_ planes: [UnsafePointer<Float>], count: Int, isVoice: Bool) {
    for (channel, plane) in planes.enumerated() {
      waves[channel].append(count) { WaveBin(plane + $0.lowerBound, count: $0.count) }
    }
    levels.append(count) { range in
      var level = FrameLevel()
      for plane in planes { level.add(plane + range.lowerBound, count: range.count) }
      return LevelBin(level, samplesPerChannel: range.count, isVoice: isVoice)
    }
  }
}
