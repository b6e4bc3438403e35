public import AudioGraph
import Resampling

/// Lets a program pull the pipeline's frames, in any legal format, from any thread.
///
///     audio thread   node ──ring──▶ [channels, rate] ── pull ──▶ program
///
/// The graph's delay is left out. The first pulled sample is the first of the stream, and the last one is the last of
/// its longest source. When the pipeline has finished, the samples that the converter still holds follow, then
/// `isExhausted`. Live, frames that are not pulled in time are dropped, oldest first, and counted. An offline pipeline
/// waits for the program instead.
///
/// ```swift
/// let pipeline = try AudioPipeline()
/// let sink = try pipeline.addSink(.pull(AudioFormat(sampleRate: 16_000, channelCount: 1)))
/// try pipeline.start()
/// var samples = [Int16](repeating: 0, count: 1_600)
/// var span = samples.mutableSpan
/// let count = sink.pull(into: &span)
/// print("\(count) samples are there")
/// pipeline.stop()
/// ```
public final class PullSink: AudioSink {
  public let node: any AudioNode
  /// Format of the pulled samples.
  public let format: AudioFormat
  private let sink: FrameSinkNode
  private let ring: FrameRing
  private let output: Guarded<Output>

  /// - Parameters:
  ///   - format: Format of the pulled samples.
  ///   - native: Format of the frames that will come.
  ///   - isOffline: Whether a full ring keeps ticks waiting.
  ///   - capacity: Number of frames that may wait.
  ///   - endPosition: End of the longest source; nil while it is unknown.
  ///   - onRelease: Rung when a frame has been taken.
  init(
    _ format: AudioFormat, from native: AudioFormat, isOffline: Bool, capacity: Int,
    endPosition: @escaping @Sendable () -> Int?,
    onRelease: Doorbell
  ) throws(EngineError) {
    guard FrameRing.capacities.contains(capacity) else {
      throw EngineError(
        .invalidArgument,
        "a pull sink cannot hold \(capacity) frames; use 1 to \(FrameRing.capacities.upperBound)")
    }
    self.format = format
    do {
      ring = FrameRing(
        capacity: capacity, format: native, policy: isOffline ? .dropNewest : .dropOldest)
      sink = FrameSinkNode(writing: ring.takeProducer(), channelCount: native.channelCount)
      node = sink
      output = Guarded(
        Output(
          try Output.converter(from: native, to: format), frames: ring.takeConsumer(), end: endPosition,
          onRelease: onRelease))
    } catch {
      throw EngineError(.invalidArgument, "\(format) cannot be pulled: \(error)", cause: error)
    }
  }

  /// Fills interleaved 16-bit samples with the available samples. Thread: any; one call at a time proceeds.
  ///
  /// - Returns: Samples per channel written; fewer than requested if no more have been rendered yet.
  public func pull(into samples: inout MutableSpan<Int16>) -> Int {
    let wanted = samples.count / format.channelCount
    var given = 0
    output.withLock { output in
      while given < wanted, output.refill() {
        let count = output.take(upTo: wanted - given)
        for index in 0..<(count * format.channelCount) {
          samples[given * format.channelCount + index] = SampleConversion.int16(output.taken[index])
        }
        given += count
      }
    }
    return given
  }

  /// Fills interleaved Float32 samples with the available samples. Thread: any; one call at a time proceeds.
  ///
  /// - Returns: Samples per channel written; fewer than requested if no more have been rendered yet.
  public func pull(into samples: inout MutableSpan<Float>) -> Int {
    let wanted = samples.count / format.channelCount
    var given = 0
    output.withLock { output in
      while given < wanted, output.refill() {
        let count = output.take(upTo: wanted - given)
        for index in 0..<(count * format.channelCount) {
          samples[given * format.channelCount + index] = output.taken[index]
        }
        given += count
      }
    }
    return given
  }

  /// Number of frames lost because they were not pulled in time. Thread: any.
  public var droppedFrameCount: Int { ring.droppedCount }

  /// Whether the pipeline has finished and every sample has been pulled. Thread: any.
  public var isExhausted: Bool {
    output.withLock { output in !output.refill() && output.isFinished }
  }

  public var isReady: Bool { sink.freeCount > 0 }
  public func requestCapacity() {}
  public func endOfStream() { sink.finish() }
}

/// The pulling side: ring, converter and its surplus samples, one thread at a time.
private struct Output: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): reached through a mutex only.
  private var frames: RingConsumer<Frame>
  private var converter: RateConverter
  /// Samples due for the frames so far; the converter's own count also includes the zeros that flush it.
  private var due: PhaseCounter
  private var given = 0
  private let streamEnd: @Sendable () -> Int?
  private let onRelease: Doorbell
  private let mapped: UnsafeMutablePointer<Float>
  private let held: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private var begin = 0
  private var end = 0
  private var leading: Int
  /// Samples of the newest `take`.
  private(set) var taken: UnsafeMutablePointer<Float>

  static func converter(from native: AudioFormat, to format: AudioFormat) throws(ResamplingError) -> RateConverter {
    guard format.channelCount <= 2 || format.channelCount == native.channelCount else {
      throw .unsupportedChannelCount(format.channelCount)
    }
    return try RateConverter(
      from: native.sampleRate, to: format.sampleRate, channelCount: format.channelCount, quality: .lowDelay,
      maximumInputCount: FrameSchedule(sampleRate: native.sampleRate).maximumSamplesPerChannel)
  }

  init(
    _ converter: consuming RateConverter, frames: consuming RingConsumer<Frame>, end: @escaping @Sendable () -> Int?,
    onRelease: Doorbell
  ) {
    streamEnd = end
    due = PhaseCounter(from: converter.inputRate, to: converter.outputRate)
    channelCount = converter.channelCount
    leading = converter.delay
    let frame = converter.maximumInputCount
    mapped = .allocate(capacity: frame * channelCount)
    held = .allocate(capacity: max(1, due.maximumOutputCount(forInput: frame)) * channelCount)
    taken = held
    self.converter = converter
    self.frames = frames
    self.onRelease = onRelease
  }

  deinit {
    mapped.deallocate()
    held.deallocate()
  }

  /// Whether no frame will follow and the converter has no samples left.
  var isFinished: Bool {
    mutating get { frames.isFinished && frames.readableCount == 0 && given == due.outputTotal }
  }

  /// Ensures that samples can be taken.
  ///
  /// - Returns: False if no frame waits.
  mutating func refill() -> Bool {
    while begin == end {
      if let slot = frames.peek() {
        let frame = slot.pointee
        let position = frame.header.pointee.samplePosition
        let first = min(frame.samplesPerChannel, max(0, -position))
        let last = min(frame.samplesPerChannel, max(first, (streamEnd() ?? .max / 2) - position))
        interleave(frame, first..<last)
        frames.release(1)
        onRelease.ring()
        _ = due.outputCount(forInput: last - first)
        convert(last - first)
      } else if frames.isFinished, given < due.outputTotal {
        mapped.update(repeating: 0, count: converter.maximumInputCount * channelCount)
        convert(converter.maximumInputCount)
      } else {
        return false
      }
    }
    return true
  }

  /// Converts the samples in `mapped`; the initial delay and samples beyond those due are left out.
  private mutating func convert(_ count: Int) {
    let converted = converter.process(mapped, inputCount: count, output: held)
    begin = min(leading, converted)
    leading -= begin
    end = min(converted, begin + due.outputTotal - given)
    given += end - begin
  }

  mutating func take(upTo count: Int) -> Int {
    let given = min(count, end - begin)
    taken = held + begin * channelCount
    begin += given
    return given
  }

  /// Interleaves a span of a frame. Mono from more channels is their mean; stereo from mono is the same on both sides.
  private func interleave(_ frame: Frame, _ range: Range<Int>) {
    for channel in 0..<channelCount {
      let first = channel % frame.channelCount
      let sources = stride(from: first, to: frame.channelCount, by: channelCount)
      let weight = 1 / Float((frame.channelCount - first + channelCount - 1) / channelCount)
      for index in range {
        var sum: Float = 0
        for source in sources { sum += frame.channel(source)[index] }
        mapped[(index - range.lowerBound) * channelCount + channel] = sum * weight
      }
    }
  }
}
