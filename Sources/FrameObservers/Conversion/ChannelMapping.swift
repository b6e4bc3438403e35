import AudioGraph

/// Converts frames to the channel count that an observer requested, and its changes back.
enum ChannelMapping {
  /// Writes `frame` interleaved with `channelCount` (1 or 2) channels.
  ///
  /// Stereo to mono: the mean. Mono to stereo: the same on both sides. More than two: as `ChannelMapNode` does.
  @_noLocks
  static func interleave(_ frame: Frame, channelCount: Int, _ output: UnsafeMutablePointer<Float>) {
    if frame.channelCount == channelCount { return Interleaving.interleave(frame, output) }
    let count = frame.samplesPerChannel
    if frame.channelCount == 1 {
      let plane = frame.channel(0)
      for index in 0..<count {
        output[2 &* index] = plane[index]
        output[2 &* index &+ 1] = plane[index]
      }
      return
    }
    for target in 0..<channelCount {
      for index in 0..<count { output[index &* channelCount &+ target] = 0 }
      for source in 0..<frame.channelCount {
        let weight =
          frame.channelCount == 2
          ? 0.5
          : Downmix.weight(
            of: source, in: frame.channelCount, speakers: frame.header.pointee.speakers, for: target, of: channelCount)
        let plane = frame.channel(source)
        for index in 0..<count { output[index &* channelCount &+ target] += weight * plane[index] }
      }
    }
  }

  /// Adds a difference of `channelCount` interleaved channels to `frame`.
  ///
  /// A mono difference goes to every channel as it is; of two channels each goes to its side, and their mean to the
  /// middle, as to a mono frame.
  @_noLocks
  static func add(_ difference: UnsafePointer<Float>, channelCount: Int, to frame: Frame) {
    let count = frame.samplesPerChannel
    if frame.channelCount == 1, channelCount == 2 {
      let plane = frame.channel(0)
      for index in 0..<count { plane[index] += (difference[2 &* index] + difference[2 &* index &+ 1]) * 0.5 }
      return
    }
    for channel in 0..<frame.channelCount {
      let plane = frame.channel(channel)
      let (left, right) = channelCount == 1 ? (1, 0) : sides(of: channel, in: frame)
      let last = channelCount &- 1
      for index in 0..<count {
        let first = index &* channelCount
        plane[index] += left * difference[first] + right * difference[first &+ last]
      }
    }
  }

  /// Returns the shares of the left and the right change that a channel takes.
  @_noLocks
  private static func sides(of channel: Int, in frame: Frame) -> (left: Float, right: Float) {
    guard frame.channelCount > 2 else { return channel == 0 ? (1, 0) : (0, 1) }
    switch Downmix.place(of: channel, in: frame.channelCount, speakers: frame.header.pointee.speakers) {
    case .left, .leftBehind: return (1, 0)
    case .right, .rightBehind: return (0, 1)
    case .middle, .behind, .lowFrequencies: return (0.5, 0.5)
    }
  }
}
