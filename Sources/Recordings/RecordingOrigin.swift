package import AudioFiles
package import AudioGraph

/// First sample of a recording's files: its position, and its time as soon as ticks have a time.
///
/// Thread: any. Every caller gets the same time, that of the first call to find one.
package final class RecordingOrigin: Sendable {
  /// Position of the first sample, in samples of the pipeline's time.
  package let position: Int
  /// Rate of the pipeline's time, in Hz.
  package let sampleRate: Int
  private let timeOfSample: @Sendable (Int) -> UTCTime?
  private let found = Guarded<UTCTime?>(nil)

  /// - Parameters:
  ///   - position: Position of the first sample.
  ///   - sampleRate: Rate of the pipeline's time, in Hz.
  ///   - timeOfSample: Returns the time of a sample by its position; nil: it has none, or none yet.
  package init(position: Int, sampleRate: Int, timeOfSample: @escaping @Sendable (Int) -> UTCTime?) {
    self.position = position
    self.sampleRate = sampleRate
    self.timeOfSample = timeOfSample
  }

  /// Time of the first sample; nil: there is none, or none yet.
  package var time: UTCTime? {
    found.withLock { found in
      found = found ?? timeOfSample(position)
      return found
    }
  }

  /// The first sample for a file; nil without a time.
  package var firstSample: FirstSample? {
    time.map { FirstSample(time: $0, position: position, sampleRate: sampleRate) }
  }
}
