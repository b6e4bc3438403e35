public import AudioGraph
import Resampling

/// Lets a program pull the pipeline's frames, in any legal format, from any thread.
///
///     audio thread   node ──ring──▶ [channels, rate] ── pull ──▶ program
///
/// The graph's delay is left out: the first sample pulled is the stream's first, the last one the last of its longest
/// source. When the pipeline has finished, what the converter still holds follows, then `isExhausted`. Live, frames
/// that are not pulled in time are dropped oldest first and counted; an offline pipeline waits for the program instead.
public final class PullSink: AudioSink {
  public let node: any AudioNode
  /// Format of what is pulled.
  public let format: AudioFormat
  private let sink: FrameSinkNode
  private let ring: FrameRing
  private let output: Guarded<Output>

  /// - Parameters:
  ///   - native: the format of the frames that will come.
  ///   - isOffline: whether a full ring keeps ticks waiting.
  ///   - endPosition: where the longest source ends; nil while that is not known.
  ///   - onRelease: rung when a frame has been taken.
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

  /// Fills interleaved 16-bit samples with what is there. Thread: any; one call at a time gets in.
  ///
  /// Returns: samples per channel given; fewer than asked for when no more has been rendered yet.
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

  /// Fills interleaved Float32 samples with what is there. Otherwise as for 16 bits.
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

  /// Frames lost because they were not pulled in time. Thread: any.
  public var droppedFrameCount: Int { ring.droppedCount }

  /// True when the pipeline has finished and every sample has been pulled. Thread: any.
  public var isExhausted: Bool {
    output.withLock { output in !output.refill() && output.isFinished }
  }

  public var isReady: Bool { sink.freeCount > 0 }
  public func requestRoom() {}
  public func endOfStream() { sink.finish() }
}

/// The pulling side: ring, converter and what it gave too much, one thread at a time.
private struct Output: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): reached through a mutex only.
  private var frames: RingConsumer<Frame>
  private var converter: RateConverter
  /// What is due for the frames so far; the converter itself also counts the zeros that flush it.
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
  /// Where the last `take` left its samples.
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

  /// True once no frame will follow and the converter has nothing left.
  var isFinished: Bool {
    mutating get { frames.isFinished && frames.readableCount == 0 && given == due.outputTotal }
  }

  /// Makes sure that something can be taken. Returns: false when no frame waits.
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

  /// Converts what lies in `mapped`; the delay in front and what is more than due are left out.
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

  /// Mono from more channels is their mean; stereo from mono is the same on both sides.
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
