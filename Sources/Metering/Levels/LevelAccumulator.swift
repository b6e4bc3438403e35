import Glibc

/// Combined levels of an interval.
struct LevelAccumulator: Sendable {
  private var squareSum = 0.0
  private var sampleCount = 0
  private var frameCount = 0
  private var voiceCount = 0

  mutating func add(_ level: FrameLevel) {
    squareSum += level.squareSum
    sampleCount += level.sampleCount
    frameCount += 1
    if level.isVoice { voiceCount += 1 }
  }

  var isEmpty: Bool { frameCount == 0 }

  var meanSquare: Double { sampleCount > 0 ? squareSum / Double(sampleCount) : 0 }

  /// Whether somebody spoke in more than half of the frames.
  var isVoice: Bool { 2 * voiceCount > frameCount }
}

/// Follows the volumes of one stream from report to report.
struct VolumeSmoother: Sendable {
  private var position: Double?

  /// Advances by one interval, on the scale of volumes.
  ///
  /// A step is answered by 1 - exp(-t / time constant); the first report of a stream is the measured volume.
  ///
  /// - Returns: The volume to report.
  mutating func follow(meanSquare: Double, elapsedMilliseconds: Int, timeConstantMilliseconds: Int) -> Int {
    let target = VolumeScale.position(meanSquare: meanSquare)
    if let last = position, timeConstantMilliseconds > 0 {
      position = target + (last - target) * exp(-Double(elapsedMilliseconds) / Double(timeConstantMilliseconds))
    } else {
      position = target
    }
    return VolumeScale.rounded(position!)
  }

  mutating func reset() { position = nil }
}
