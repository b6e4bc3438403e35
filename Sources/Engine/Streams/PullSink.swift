public import AudioGraph
import Resampling
import Synchronization

/// Lets a program pull the pipeline's frames, in any legal format, from any thread.
///
///     audio thread   node ──ring──▶ [channels, rate] ── pull ──▶ program
///
/// The graph's delay is left out: the first sample pulled is the stream's first. Live, frames that are not pulled in
/// time are dropped oldest first and counted; a lossless pipeline waits for the program instead.
public final class PullSink: AudioSink {
  public let node: any AudioNode
  /// Format of what is pulled.
  public let format: AudioFormat
  private let sink: FrameSinkNode
  private let ring: FrameRing
  private let output: Mutex<Output>

  /// - Parameters:
  ///   - format: what will be pulled; 1 or 2 channels, or as many as the pipeline has.
  ///   - pipeline: whose frames.
  ///   - capacity: 10 ms frames that may wait.
  /// - Throws: `EngineError` with code `.invalidArgument` for a format that the frames cannot be brought to.
  public init(_ format: AudioFormat, of pipeline: AudioPipeline, capacity: Int = 20) throws(EngineError) {
    self.format = format
    let options = pipeline.options
    do {
      let native = try AudioFormat(sampleRate: options.sampleRate, channelCount: options.channelCount)
      ring = FrameRing(
        capacity: max(1, capacity), format: native, policy: options.isLossless ? .dropNewest : .dropOldest)
      sink = FrameSinkNode(writing: ring.takeProducer(), channelCount: options.channelCount)
      node = sink
      output = Mutex(
        Output(
          try Output.converter(from: native, to: format), frames: ring.takeConsumer(), onRelease: pipeline.bell))
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

  public var isReady: Bool { sink.freeCount > 0 }
  public func requestRoom() {}
}

/// The pulling side: ring, converter and what it gave too much, one thread at a time.
private struct Output: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): reached through a mutex only.
  private var frames: RingConsumer<Frame>
  private var converter: RateConverter
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

  init(_ converter: consuming RateConverter, frames: consuming RingConsumer<Frame>, onRelease: Doorbell) {
    channelCount = converter.channelCount
    leading = converter.delay
    let frame = converter.maximumInputCount
    mapped = .allocate(capacity: frame * channelCount)
    let room = PhaseCounter(from: converter.inputRate, to: converter.outputRate).maximumOutputCount(forInput: frame)
    held = .allocate(capacity: max(1, room) * channelCount)
    taken = held
    self.converter = converter
    self.frames = frames
    self.onRelease = onRelease
  }

  deinit {
    mapped.deallocate()
    held.deallocate()
  }

  /// Makes sure that something can be taken. Returns: false when no frame waits.
  mutating func refill() -> Bool {
    while begin == end {
      guard let slot = frames.peek() else { return false }
      let frame = slot.pointee
      let before = min(frame.samplesPerChannel, max(0, -frame.header.pointee.samplePosition))
      let count = frame.samplesPerChannel - before
      interleave(frame, from: before)
      frames.release(1)
      onRelease.ring()
      end = converter.process(mapped, inputCount: count, output: held)
      begin = min(leading, end)
      leading -= begin
    }
    return true
  }

  mutating func take(upTo count: Int) -> Int {
    let given = min(count, end - begin)
    taken = held + begin * channelCount
    begin += given
    return given
  }

  /// Mono from more channels is their mean; stereo from mono is the same on both sides.
  private func interleave(_ frame: Frame, from start: Int) {
    for channel in 0..<channelCount {
      let first = channel % frame.channelCount
      let sources = stride(from: first, to: frame.channelCount, by: channelCount)
      let weight = 1 / Float((frame.channelCount - first + channelCount - 1) / channelCount)
      for index in start..<frame.samplesPerChannel {
        var sum: Float = 0
        for source in sources { sum += frame.channel(source)[index] }
        mapped[(index - start) * channelCount + channel] = sum * weight
      }
    }
  }
}
