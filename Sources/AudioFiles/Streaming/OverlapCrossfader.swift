import AudioGraph

/// Holds the newest samples of a stream until the next ones come.
///
/// When a path's delay grows, the new path repeats positions that have come before. Its samples are faded into the held
/// ones up to the last one, from which the new path continues. A hard cut from one to the other would be heard.
///
/// Thread: one at a time.
final class OverlapCrossfader {
  /// Planes of `stride` samples.
  let planes: UnsafeMutablePointer<Float>
  let stride: Int
  private let channelCount: Int
  private(set) var count = 0
  /// Position behind the last sample.
  private(set) var end = 0
  /// Position at which fading has begun; nil before the first duplicate position.
  private var fadeStart: Int?

  init(channelCount: Int, sampleRate: Int) {
    self.channelCount = channelCount
    stride = FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel
    planes = .allocate(capacity: stride * channelCount)
    planes.initialize(repeating: 0, count: stride * channelCount)
  }

  deinit { planes.deallocate() }

  /// Holds `count` samples of a frame, from `first` on, in place of the samples held before.
  ///
  /// - Parameter start: Position of the frame in the file's stream.
  func keep(_ frame: Frame, at start: Int, first: Int, count: Int) {
    for channel in 0..<channelCount {
      (planes + channel * stride).update(from: frame.channel(channel) + first, count: count)
    }
    self.count = count
    end = start + first + count
    fadeStart = nil
  }

  /// Drops the held samples.
  func clear() { count = 0 }

  /// Fades in the samples of a frame at positions that are held already.
  func fade(in frame: Frame, at start: Int) {
    let first = max(start, end - count)
    let last = min(start + frame.samplesPerChannel, end)
    guard first < last else { return }
    let from = fadeStart ?? first
    fadeStart = from
    let step = 1 / Float(end - from)
    for channel in 0..<channelCount {
      let (kept, new) = (planes + (channel * stride + count - end), frame.channel(channel) - start)
      for position in first..<last {
        let share = (Float(position - from) + 0.5) * step
        kept[position] += share * (new[position] - kept[position])
      }
    }
  }
}
