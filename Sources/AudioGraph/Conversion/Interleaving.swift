/// Moves samples between the planes of a frame and interleaved memory, where one sample of each channel follows
/// the other.
public enum Interleaving {
  /// Writes all channels of `frame` to `output`: samplesPerChannel x channelCount samples. Real-time: wait-free.
  @_noLocks
  public static func interleave(_ frame: Frame, _ output: UnsafeMutablePointer<Float>) {
    let count = frame.samplesPerChannel
    if frame.channelCount == 1 { return copySamples(from: frame.channel(0), to: output, count: count) }
    if frame.channelCount == 2 {
      let left = frame.channel(0)
      let right = frame.channel(1)
      for index in 0..<count {
        output[2 &* index] = left[index]
        output[2 &* index &+ 1] = right[index]
      }
      return
    }
    for channel in 0..<frame.channelCount {
      let plane = frame.channel(channel)
      for index in 0..<count { output[index &* frame.channelCount &+ channel] = plane[index] }
    }
  }

  /// Fills all channels of `frame` from interleaved samples. Real-time: wait-free.
  @_noLocks
  public static func deinterleave(_ input: UnsafePointer<Float>, _ frame: Frame) {
    let count = frame.samplesPerChannel
    if frame.channelCount == 1 { return copySamples(from: input, to: frame.channel(0), count: count) }
    if frame.channelCount == 2 {
      // Both at once, so that the compiler can load whole vectors and take them apart.
      let left = frame.channel(0)
      let right = frame.channel(1)
      for index in 0..<count {
        left[index] = input[2 &* index]
        right[index] = input[2 &* index &+ 1]
      }
      return
    }
    for channel in 0..<frame.channelCount {
      let plane = frame.channel(channel)
      for index in 0..<count { plane[index] = input[index &* frame.channelCount &+ channel] }
    }
  }
}
