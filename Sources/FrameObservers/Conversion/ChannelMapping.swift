import AudioGraph

/// Brings frames to the channel count that an observer asked for, and its changes back.
enum ChannelMapping {
  /// Writes `frame` interleaved with `channelCount` (1 or 2) channels.
  ///
  /// To mono: the mean of all channels. Mono to stereo: the same on both sides. More than two to stereo: the mean
  /// of the even channels on the left, that of the odd ones on the right.
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
      let sources = (frame.channelCount &- target &+ channelCount &- 1) / channelCount
      let weight = 1 / Float(sources)
      for index in 0..<count {
        var sum: Float = 0
        var source = target
        while source < frame.channelCount {
          sum += frame.channel(source)[index]
          source &+= channelCount
        }
        output[index &* channelCount &+ target] = sum * weight
      }
    }
  }

  /// Adds a difference of `channelCount` interleaved channels to `frame`.
  ///
  /// A mono difference goes to every channel as it is; two channels go to the even and the odd ones; to a mono
  /// frame goes their mean.
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
      let from = channel % channelCount
      for index in 0..<count { plane[index] += difference[index &* channelCount &+ from] }
    }
  }
}
