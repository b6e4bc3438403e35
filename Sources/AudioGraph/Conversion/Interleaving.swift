import LockFree

/// Moves samples between the planes of a frame and interleaved memory, which holds one sample of each channel in turn.
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
      // Both planes in one loop, so that the compiler can load whole vectors and take them apart.
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

  /// Writes all channels of `frame` to `output` as 16 bits. Real-time: wait-free.
  @_noLocks
  public static func interleave(_ frame: Frame, _ output: UnsafeMutablePointer<Int16>) {
    let count = frame.samplesPerChannel
    if frame.channelCount == 1 { return SampleConversion.toInt16(frame.channel(0), output, count: count) }
    if frame.channelCount == 2 {
      let left = frame.channel(0)
      let right = frame.channel(1)
      for index in 0..<count {
        output[2 &* index] = SampleConversion.int16(left[index])
        output[2 &* index &+ 1] = SampleConversion.int16(right[index])
      }
      return
    }
    for channel in 0..<frame.channelCount {
      let plane = frame.channel(channel)
      for index in 0..<count { output[index &* frame.channelCount &+ channel] = SampleConversion.int16(plane[index]) }
    }
  }

  /// Copies to `frame` the samples of `input` that differ from the frame's own samples in 16 bits. The other samples
  /// keep all their bits. Real-time: wait-free.
  @_noLocks
  public static func deinterleaveChanges(_ input: UnsafePointer<Int16>, _ frame: Frame) {
    let count = frame.samplesPerChannel
    if frame.channelCount == 1 {
      let plane = frame.channel(0)
      for index in 0..<count { plane[index] = changed(plane[index], input[index]) }
      return
    }
    if frame.channelCount == 2 {
      let left = frame.channel(0)
      let right = frame.channel(1)
      for index in 0..<count {
        left[index] = changed(left[index], input[2 &* index])
        right[index] = changed(right[index], input[2 &* index &+ 1])
      }
      return
    }
    for channel in 0..<frame.channelCount {
      let plane = frame.channel(channel)
      for index in 0..<count { plane[index] = changed(plane[index], input[index &* frame.channelCount &+ channel]) }
    }
  }

  @_noLocks @inline(__always)
  private static func changed(_ sample: Float, _ written: Int16) -> Float {
    written == SampleConversion.int16(sample) ? sample : Float(written) * 0x1p-15
  }
}
