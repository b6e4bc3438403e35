import AudioGraph
import Resampling
import Synchronization

/// The writer thread of a `FileSink`.
///
/// The graph's delay is cut off in front and the silence that drains it behind: the file holds the samples at
/// positions 0 up to the end of the longest source.
final class FileDrain: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): `frames`, `writer` and `conversion` belong to the thread that runs; the rest is
  // atomic or locked.
  let data = Doorbell()
  let written = Atomic<Int>(0)
  let trimmed = Atomic<Int>(0)
  let failure = Mutex<AudioFileError?>(nil)
  let isAbandoned = Atomic<Bool>(false)
  private let frames: RenderState<RingConsumer<Frame>>
  private let writer: any AudioFileWriter
  private let onRelease: Doorbell
  private let sampleRate: Int
  private let endPosition: @Sendable () -> Int?
  private var conversion: Conversion?
  private var hasFailed = false

  private final class Conversion {
    var converter: FileRateConverter
    let input: UnsafeMutablePointer<Float>
    let interleaved: UnsafeMutablePointer<Float>
    let planes: UnsafeMutablePointer<Float>
    let capacity: Int

    init(from inputRate: Int, to outputRate: Int, channelCount: Int) throws(ResamplingError) {
      converter = try FileRateConverter(from: inputRate, to: outputRate, channelCount: channelCount)
      let frame = FrameSchedule(sampleRate: inputRate).maximumSamplesPerChannel
      // The converter gives its samples in bursts of its own block length.
      capacity = 16_384 * max(1, outputRate / inputRate)
      input = .allocate(capacity: frame * channelCount)
      interleaved = .allocate(capacity: capacity * channelCount)
      planes = .allocate(capacity: capacity * channelCount)
    }

    deinit {
      input.deallocate()
      interleaved.deallocate()
      planes.deallocate()
    }
  }

  /// - Parameter endPosition: where the longest source ends; nil while that is not known.
  init(
    _ writer: any AudioFileWriter, frames: consuming RingConsumer<Frame>, sampleRate: Int, onRelease: Doorbell,
    endPosition: @escaping @Sendable () -> Int?
  ) throws(ResamplingError) {
    self.writer = writer
    self.frames = RenderState(frames)
    self.sampleRate = sampleRate
    self.onRelease = onRelease
    self.endPosition = endPosition
    if writer.format.sampleRate != sampleRate {
      conversion = try Conversion(
        from: sampleRate, to: writer.format.sampleRate, channelCount: writer.format.channelCount)
    }
  }

  /// Writes frames until the graph has finished, then completes the file.
  func run() {
    let frames = frames.pointer
    let half = max(1, frames.pointee.capacity / 2)
    while true {
      while case let waiting = frames.pointee.readableCount, waiting > 0 {
        let count = min(waiting, half)
        for _ in 0..<count {
          guard let slot = frames.pointee.peek() else { break }
          if !isAbandoned.load(ordering: .relaxed) { take(slot.pointee) }
          frames.pointee.release(1)
        }
        if count == half { onRelease.ring() }
      }
      onRelease.ring()
      if frames.pointee.isFinished, frames.pointee.readableCount == 0 { break }
      data.wait(atMostMilliseconds: 1_000)
    }
    guarded { () throws(AudioFileError) in try complete() }
    onRelease.ring()
  }

  private func take(_ frame: Frame) {
    let position = frame.header.pointee.samplePosition
    let count = frame.samplesPerChannel
    let begin = min(count, max(0, -position))
    let end = min(count, max(begin, (endPosition() ?? .max / 2) - position))
    trimmed.wrappingAdd(count - (end - begin), ordering: .relaxed)
    guard end > begin else { return }
    guarded { () throws(AudioFileError) in
      if conversion == nil {
        try writer.write(frame.channel(0) + begin, stride: frame.planeStride, count: end - begin)
      } else {
        try convert(frame, begin: begin, count: end - begin)
      }
    }
    written.wrappingAdd(end - begin, ordering: .relaxed)
  }

  private func complete() throws(AudioFileError) {
    if isAbandoned.load(ordering: .acquiring) { return writer.abandon() }
    if conversion != nil {
      while true {
        let count = conversion!.converter.finish(into: conversion!.interleaved, capacity: conversion!.capacity)
        if count == 0 { break }
        try writeConverted(count)
      }
    }
    try writer.finish()
  }

  private func convert(_ frame: Frame, begin: Int, count: Int) throws(AudioFileError) {
    let channelCount = frame.channelCount
    let input = conversion!.input
    for channel in 0..<channelCount {
      let plane = frame.channel(channel) + begin
      for index in 0..<count { input[index * channelCount + channel] = plane[index] }
    }
    var given = conversion!.converter.process(
      input, inputCount: count, into: conversion!.interleaved, capacity: conversion!.capacity)
    while given > 0 {
      try writeConverted(given)
      given = conversion!.converter.process(
        input, inputCount: 0, into: conversion!.interleaved, capacity: conversion!.capacity)
    }
  }

  private func writeConverted(_ count: Int) throws(AudioFileError) {
    let channelCount = writer.format.channelCount
    let capacity = conversion!.capacity
    for channel in 0..<channelCount {
      let plane = conversion!.planes + channel * capacity
      for index in 0..<count { plane[index] = conversion!.interleaved[index * channelCount + channel] }
    }
    try writer.write(conversion!.planes, stride: capacity, count: count)
  }

  /// The first failure is kept; the graph goes on so that every other consumer gets its frames.
  private func guarded(_ body: () throws(AudioFileError) -> Void) {
    if hasFailed { return }
    do {
      try body()
    } catch {
      hasFailed = true
      failure.withLock { $0 = error }
    }
  }
}
