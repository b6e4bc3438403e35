import Glibc

/// The levels of an interval, taken together.
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

  /// True where somebody spoke in more than half of the frames.
  var isVoice: Bool { 2 * voiceCount > frameCount }
}

/// Follows the volumes of one stream from report to report.
struct VolumeSmoother: Sendable {
  private var position: Double?

  /// Goes on by one interval, on the scale of volumes. Returns: the volume to report.
  ///
  /// A step is answered by 1 - exp(-t / time constant); the first report of a stream is what was measured.
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
