import AudioFiles
import AudioGraph
import Effects
import Metering

/// Measures the loudness and the true peak of a sound.
///
/// Thread: one at a time.
final class LevelMeasurement {
  /// Loudness and true peak.
  struct Levels: Hashable {
    /// Integrated loudness, in LUFS; nil for silence, and for less than 400 ms.
    var integrated: Double?
    /// Largest true peak, in dBTP; nil for silence.
    var truePeak: Double?
  }

  private let meter: LoudnessMeter
  private let peaks: TruePeakTrack
  private let channelCount: Int
  private var interleaved: [Float] = []

  /// Creates a measurement that has heard nothing.
  ///
  /// - Parameters:
  ///   - format: sample rate and channels.
  ///   - speakers: loudspeakers of the channels, bit by bit; 0 for the usual ones.
  init(_ format: AudioFormat, speakers: UInt32) throws(EngineError) {
    meter = try LoudnessMeter(
      sampleRate: format.sampleRate, channelCount: format.channelCount, speakers: speakers, measuresTruePeak: false)
    peaks = TruePeakTrack(channelCount: format.channelCount)
    channelCount = format.channelCount
  }

  /// Adds `count` samples of each channel from planes that begin `stride` samples apart at `base`.
  func add(_ base: UnsafePointer<Float>, stride: Int, count: Int) throws(EngineError) {
    peaks.add(base, stride: stride, count: count)
    guard channelCount > 1 else { return try meter.add(base, samplesPerChannel: count) }
    if interleaved.count < count * channelCount { interleaved = [Float](repeating: 0, count: count * channelCount) }
    for channel in 0..<channelCount {
      let plane = base + channel * stride
      for index in 0..<count { interleaved[index * channelCount + channel] = plane[index] }
    }
    try meter.add(interleaved, samplesPerChannel: count)
  }

  /// Returns the levels. Call it once, after the last sample.
  func finish() -> Levels { Levels(integrated: meter.integrated, truePeak: peaks.finish()?.value) }
}
