import AudioGraph

/// Measures the true peak of a whole sound, in parts of any length, with the meter of the limiter.
///
/// Shape: planar Float32. A sine's peak is found with an error of -0.07 to +0.2 dB. Silence surrounds the sound. The
/// beginning is also measured with its mirror image before it, as ffmpeg's filter ebur128 does.
///
/// Cost: two scans of the samples; only blocks that may exceed the peak so far are interpolated.
/// Thread: one at a time.
package final class TruePeakTrack {
  private static let pastLength = 32
  private static let partLength = 32 * TruePeakMeter.blockCount

  private var meter = TruePeakMeter()
  private let channelCount: Int
  private let planeLength = pastLength + partLength + TruePeakMeter.lookAhead + TruePeakMeter.blockCount
  /// For each channel, measured samples, then those to measure and their successors.
  private let planes: UnsafeMutablePointer<Float>
  private let peaks: UnsafeMutablePointer<Float>
  /// Samples per channel behind the measured ones; silence precedes the sound.
  private var waiting = TruePeakMeter.lookAhead
  private var largest: Float = 0
  /// The first samples of each channel.
  private let heads: UnsafeMutablePointer<Float>
  private var headCount = 0
  /// Samples of the beginning that its measurement with the mirror image takes.
  private static let edgeLength = pastLength + TruePeakMeter.lookAhead

  /// Creates a track that has heard nothing.
  package init(channelCount: Int) {
    self.channelCount = channelCount
    planes = .allocate(capacity: channelCount * planeLength)
    planes.initialize(repeating: 0, count: channelCount * planeLength)
    heads = .allocate(capacity: channelCount * Self.edgeLength)
    heads.initialize(repeating: 0, count: channelCount * Self.edgeLength)
    peaks = .allocate(capacity: TruePeakMeter.blockCount)
    peaks.initialize(repeating: 0, count: TruePeakMeter.blockCount)
  }

  deinit {
    planes.deallocate()
    heads.deallocate()
    peaks.deallocate()
  }

  /// Adds `count` samples of each channel from planes that begin `stride` samples apart at `base`.
  package func add(_ base: UnsafePointer<Float>, stride: Int, count: Int) {
    let newHeads = min(count, Self.edgeLength - headCount)
    for channel in 0..<channelCount {
      let head = heads + (channel * Self.edgeLength + headCount)
      copySamples(from: base + channel * stride, to: head, count: newHeads)
    }
    headCount += newHeads
    var done = 0
    while done < count {
      let part = min(count - done, Self.partLength + TruePeakMeter.lookAhead - waiting)
      for channel in 0..<channelCount {
        copySamples(
          from: base + (channel * stride + done), to: plane(channel) + (Self.pastLength + waiting), count: part)
      }
      waiting += part
      done += part
      if waiting == Self.partLength + TruePeakMeter.lookAhead { measure(Self.partLength) }
    }
  }

  /// Measures the rest. Call it once, after the last sample.
  ///
  /// - Returns: largest true peak of all channels; nil for silence.
  package func finish() -> Decibels? {
    for channel in 0..<channelCount {
      let head = UnsafeBufferPointer(start: heads + channel * Self.edgeLength, count: Self.edgeLength)
      measureEdge([0] + head.dropFirst().reversed() + head)
    }
    let blocks = (waiting + TruePeakMeter.blockCount - 1) / TruePeakMeter.blockCount
    for channel in 0..<channelCount {
      let end = plane(channel) + (Self.pastLength + waiting)
      end.update(repeating: 0, count: planeLength - Self.pastLength - waiting)
    }
    measure(min(blocks * TruePeakMeter.blockCount, Self.partLength))
    if waiting > 0 { measure(TruePeakMeter.blockCount) }
    return largest > 0 ? Decibels(linearGain: largest) : nil
  }

  /// Measures from each sample to the next, for `count` samples, and moves the rest forward.
  private func measure(_ count: Int) {
    for channel in 0..<channelCount {
      let plane = plane(channel)
      for start in stride(from: 0, to: count, by: TruePeakMeter.blockCount) {
        measureBlock(plane + (Self.pastLength + start))
      }
      moveSamples(from: plane + count, to: plane, count: planeLength - count)
    }
    waiting = max(0, waiting - count)
  }

  /// Measures around the middle of `samples`.
  private func measureEdge(_ samples: [Float]) {
    samples.withUnsafeBufferPointer { buffer in
      for start in [24, 40] { measureBlock(buffer.baseAddress! + start) }
    }
  }

  private func measureBlock(_ samples: UnsafePointer<Float>) {
    if meter.isBelow(largest, samples) { return }
    peaks.update(repeating: 0, count: TruePeakMeter.blockCount)
    meter.measure(samples, raising: peaks, continues: false)
    for index in 0..<TruePeakMeter.blockCount where peaks[index] > largest { largest = peaks[index] }
  }

  private func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { planes + channel * planeLength }
}
