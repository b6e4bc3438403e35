package import AudioGraph
package import Resampling
package import Synchronization

/// Takes frames out of a ring and writes them to a file, each sample at the place of its position.
///
/// Samples before the beginning (the graph's delay, with a beginning at 0) and behind the end (the silence that drains
/// the delay) are cut off. Missing frames become silence. Duplicate samples are left out, but for those of the last
/// frame, into which they are faded.
///
/// Thread: one at a time.
package final class FileWriterThread: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): `frames`, `writer` and `conversion` belong to the thread that runs; the rest is
  // atomic or locked.
  let data = Doorbell()
  let counts = FileWriterCounts()
  package let failure = Guarded<AudioFileError?>(nil)
  package let isAbandoned = Atomic<Bool>(false)
  /// Whether the file ends early, and is not to have the name of one that is whole.
  let isBrokenOff = Atomic<Bool>(false)
  /// Remains of a file that was broken off.
  let remains = Guarded<AudioFileError.Remains?>(nil)
  /// Longest wait for taking a frame; writing it waits at most twice as long. Both hold for slow frames and however
  /// many the ring holds. A kill loses the samples that are not yet written.
  private static let longestWaitMilliseconds = 100
  private let frames: RenderState<RingConsumer<Frame>>
  private let writer: any AudioFileWriter
  private let onRelease: Doorbell
  private let sampleRate: Int
  private let endPosition: @Sendable () -> Int?
  private let fileLength: @Sendable () -> Int?
  private var conversion: Conversion?
  /// Samples that were taken last and are not yet with the writer.
  private let held: OverlapCrossfader
  private var hasFailed = false
  /// Position of the sample that the file needs next; nil until the first frame sets the beginning.
  private var position: Int?
  private let reachesToEnd: Bool
  private let holdsSilence: Bool
  /// Returns the time of the first sample; nil once it has been asked.
  private var firstSample: (@Sendable () -> FirstSample?)?
  private var cuts: CutProgress

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

  /// Creates the writer of a file.
  ///
  /// - Parameters:
  ///   - writer: Writer of the file.
  ///   - frames: Ring of the graph's frames.
  ///   - sampleRate: The graph's rate, in Hz; converted if the writer's differs.
  ///   - onRelease: Doorbell that rings when frames have been written.
  ///   - startPosition: Beginning of the file, in samples of the graph; it then reaches to its end, even without
  ///     frames. Nil: it begins with the first frame, at 0 at the earliest, and ends with the last one.
  ///   - firstSample: Returns the time of the file's first sample; called when the first frame has come.
  ///   - holdsSilence: Whether frames of zeros are written only when another frame follows, or the end does.
  ///   - cuts: Spans that are left out; nil: none.
  ///   - endPosition: End of the file; nil while that is not known.
  ///   - fileLength: Largest number of samples of a converted file; called once all frames have come.
  package init(
    _ writer: any AudioFileWriter, frames: consuming RingConsumer<Frame>, sampleRate: Int, onRelease: Doorbell,
    startPosition: Int? = nil, firstSample: (@Sendable () -> FirstSample?)? = nil, holdsSilence: Bool = false,
    cuts: FileCuts? = nil,
    endPosition: @escaping @Sendable () -> Int?,
    fileLength: @escaping @Sendable () -> Int? = { nil }
  ) throws(ResamplingError) {
    position = startPosition
    reachesToEnd = startPosition != nil
    self.holdsSilence = holdsSilence
    self.firstSample = firstSample
    self.cuts = CutProgress(cuts)
    self.writer = writer
    self.frames = RenderState(frames)
    self.sampleRate = sampleRate
    self.onRelease = onRelease
    self.endPosition = endPosition
    self.fileLength = fileLength
    held = OverlapCrossfader(channelCount: writer.format.channelCount, sampleRate: sampleRate)
    if writer.format.sampleRate != sampleRate {
      conversion = try Conversion(
        from: sampleRate, to: writer.format.sampleRate, channelCount: writer.format.channelCount)
    }
  }

  /// Writes frames until the graph has finished, then completes the file.
  func run() {
    var isSlow = false
    while true {
      drain()
      // Fast frames fill the next block soon, and large blocks cost the system less.
      if isSlow { deliver() }
      if frames.pointer.pointee.isFinished, frames.pointer.pointee.readableCount == 0 { break }
      isSlow = !data.wait(atMostMilliseconds: Self.longestWaitMilliseconds)
    }
    finish()
  }

  /// Hands the waiting frames to the writer, but for the newest `heldCount`.
  package func drain(holding heldCount: Int = 0) {
    let frames = frames.pointer
    let half = max(1, frames.pointee.capacity / 2)
    while case let waiting = frames.pointee.readableCount - heldCount, waiting > 0 {
      let count = min(waiting, half)
      for _ in 0..<count {
        let pair = frames.pointee.peek(upTo: 2)
        guard let frame = pair.first.first else { break }
        let next = pair.first.dropFirst().first ?? pair.second.first
        if !isAbandoned.load(ordering: .relaxed) { take(frame, before: next) }
        frames.pointee.release(1)
      }
      if count == half { onRelease.ring() }
    }
    onRelease.ring()
  }

  /// Makes the writer write the samples that it has gathered: all but the last frame, which may have to be faded.
  package func deliver() {
    if !isAbandoned.load(ordering: .relaxed) { guarded { () throws(AudioFileError) in try writer.deliver() } }
  }

  /// Completes the file.
  package func finish() {
    if !isAbandoned.load(ordering: .acquiring) { writeHeld() }
    guarded { () throws(AudioFileError) in try complete() }
    onRelease.ring()
  }

  /// Takes a frame.
  ///
  /// - Parameters:
  ///   - frame: Frame from the ring.
  ///   - next: The frame behind it, if that has come; one that continues from here needs no fading.
  private func take(_ frame: Frame, before next: Frame?) {
    if let first = firstSample?() { guarded { () throws(AudioFileError) in try writer.setFirstSample(first) } }
    firstSample = nil
    let count = frame.samplesPerChannel
    if cuts.leavesOut(frame) { return }
    let start = frame.header.pointee.samplePosition - cuts.removedCount
    let due = position ?? max(0, start)
    let begin = min(count, max(0, due - start))
    let end = min(count, max(begin, (endPosition() ?? .max / 2) - cuts.removedCount - start))
    counts.trimmed.wrappingAdd(count - (end - begin), ordering: .relaxed)
    if begin > 0 { held.fade(in: frame, at: start) }
    guard end > begin else { return }
    // As a missing frame: it becomes silence when another one follows.
    if holdsSilence, position != nil, isSilent(frame) { return }
    writeHeld()
    guarded { () throws(AudioFileError) in try writeSilence(upTo: start + begin) }
    if hasFailed || !cuts.isAtCut && isFollowed(frame, by: next) {
      write(frame.channel(0) + begin, stride: frame.planeStride, count: end - begin)
    } else {
      held.keep(frame, at: start, first: begin, count: end - begin)
    }
    position = start + end
    counts.written.wrappingAdd(end - begin, ordering: .relaxed)
  }

  private func isFollowed(_ frame: Frame, by next: Frame?) -> Bool {
    next?.header.pointee.samplePosition == frame.header.pointee.samplePosition + frame.samplesPerChannel
  }

  /// Gives the held samples to the writer.
  private func writeHeld() {
    let count = held.count
    guard count > 0 else { return }
    held.clear()
    write(held.planes, stride: held.stride, count: count)
  }

  private func write(_ planes: UnsafePointer<Float>, stride: Int, count: Int) {
    if hasFailed { counts.refused.wrappingAdd(count, ordering: .relaxed) }
    guarded { () throws(AudioFileError) in
      if conversion == nil {
        counts.offered.wrappingAdd(count, ordering: .relaxed)
        try writer.write(planes, stride: stride, count: count)
      } else {
        try convert(planes, stride: stride, count: count)
      }
    }
  }

  private func isSilent(_ frame: Frame) -> Bool {
    for channel in 0..<frame.channelCount {
      let plane = frame.channel(channel)
      for index in 0..<frame.samplesPerChannel where plane[index] != 0 { return false }
    }
    return true
  }

  /// Writes silence in place of frames that have not come.
  private func writeSilence(upTo end: Int) throws(AudioFileError) {
    guard let position, position < end else { return }
    self.position = end
    counts.filled.wrappingAdd(end - position, ordering: .relaxed)
    guard conversion != nil else {
      counts.offered.wrappingAdd(end - position, ordering: .relaxed)
      return try writer.writeSilence(count: end - position)
    }
    let frame = FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel
    conversion!.input.update(repeating: 0, count: frame * writer.format.channelCount)
    var left = end - position
    while left > 0 {
      try convertInput(count: min(left, frame))
      left -= frame
    }
  }

  private func complete() throws(AudioFileError) {
    if isAbandoned.load(ordering: .acquiring) { return writer.abandon() }
    if reachesToEnd, let end = endPosition() { try writeSilence(upTo: end - cuts.removedCount) }
    if conversion != nil {
      while true {
        let count = conversion!.converter.finish(into: conversion!.interleaved, capacity: conversion!.capacity)
        if count == 0 { break }
        // The round trip of a conversion can leave a sample more than there was.
        let fitting = min(count, max(0, (fileLength() ?? .max) - writer.samplesPerChannel))
        counts.cut.wrappingAdd(count - fitting, ordering: .relaxed)
        try writeConverted(fitting)
      }
    }
    if isBrokenOff.load(ordering: .acquiring) {
      let left = try writer.breakOff()
      remains.withLock { $0 = left }
    } else {
      try writer.finish()
    }
    counts.fileCount.store(writer.samplesPerChannel, ordering: .relaxed)
  }

  private func convert(_ planes: UnsafePointer<Float>, stride: Int, count: Int) throws(AudioFileError) {
    let channelCount = writer.format.channelCount
    let input = conversion!.input
    for channel in 0..<channelCount {
      let plane = planes + channel * stride
      for index in 0..<count { input[index * channelCount + channel] = plane[index] }
    }
    try convertInput(count: count)
  }

  private func convertInput(count: Int) throws(AudioFileError) {
    let input = conversion!.input
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
    counts.offered.wrappingAdd(count, ordering: .relaxed)
    try writer.write(conversion!.planes, stride: capacity, count: count)
  }

  /// Keeps the first failure; the graph continues so that every other consumer gets its frames.
  private func guarded(_ body: () throws(AudioFileError) -> Void) {
    if hasFailed { return }
    do {
      try body()
    } catch {
      hasFailed = true
      counts.fileCount.store(writer.samplesPerChannel, ordering: .relaxed)
      failure.withLock { $0 = error }
    }
  }
}
