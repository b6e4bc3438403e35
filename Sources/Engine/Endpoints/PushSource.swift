public import AudioGraph
import Resampling
import Synchronization

/// A user with samples that a program pushes, in any legal format, from any thread.
///
///     program ── push ──▶ [rate] ──ring──▶ node   audio thread
///
/// An empty ring is silence and counts as an underrun; a full ring accepts fewer samples.
///
/// ```swift
/// let pipeline = try AudioPipeline()
/// let bot = try pipeline.addSpeaker(1, from: .push(AudioFormat(sampleRate: 16_000, channelCount: 1)))
/// try pipeline.start()
/// let speech = [Int16](repeating: 0, count: 1_600)
/// let accepted = bot.push(speech.span)
/// print("\(speech.count - accepted) samples found no room")
/// pipeline.stop()
/// ```
public final class PushSource: AudioSource {
  public let node: any AudioNode
  public let channelCount: Int
  public let sampleRate: Int
  /// Format of the pushed samples.
  public let format: AudioFormat
  private let source: SampleSourceNode
  private let ring: Ring<Float>
  private let ready: Doorbell
  private let samplesPerTick: Int
  private let input: Guarded<Input>
  private let end = Atomic<Int>(-1)
  private let nonFinite = Atomic<Int>(0)

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - format: Format of the samples that will be pushed.
  ///   - sampleRate: The graph's rate, in Hz.
  ///   - uid: The user.
  ///   - capacityMilliseconds: Duration of the audio that may wait; 20 ms to 10 minutes.
  ///   - ready: Rung when samples have come: the pipeline's `bell`.
  /// - Throws: `EngineError` with code `.invalidArgument` for a rate that cannot be converted or a capacity out of
  ///   range.
  public init(
    _ format: AudioFormat, sampleRate: Int, uid: UInt32 = 0, capacityMilliseconds: Int = 200, ready: Doorbell
  ) throws(EngineError) {
    guard (20...600_000).contains(capacityMilliseconds) else {
      throw EngineError(
        .invalidArgument, "a push source cannot hold \(capacityMilliseconds) ms; use 20 to 600000")
    }
    self.format = format
    self.ready = ready
    channelCount = format.channelCount
    self.sampleRate = sampleRate
    samplesPerTick = FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel
    ring = Ring(capacity: sampleRate * capacityMilliseconds / 1_000 * format.channelCount, initial: 0)
    source = SampleSourceNode(reading: ring.takeConsumer(), channelCount: format.channelCount, sourceID: uid)
    node = source
    do {
      let worker = try Input(format, sampleRate: sampleRate, ring: ring.takeProducer())
      input = Guarded(worker)
    } catch {
      throw EngineError(.invalidArgument, "\(format) cannot be pushed: \(error)", cause: error)
    }
  }

  /// Accepts interleaved 16-bit samples. Thread: any; one call at a time proceeds.
  ///
  /// - Returns: Samples per channel that were accepted; the rest exceeds the capacity, and the caller pushes it again.
  public func push(_ samples: Span<Int16>) -> Int {
    push(count: samples.count / channelCount) { start, count, target in
      for index in 0..<(count * channelCount) {
        target[index] = Float(samples[start * channelCount + index]) * 0x1p-15
      }
    }
  }

  /// Accepts interleaved Float32 samples, nominal range -1...1; NaN and infinite samples become 0 and are counted.
  /// Thread: any; one call at a time proceeds.
  ///
  /// - Returns: Samples per channel that were accepted; the rest exceeds the capacity, and the caller pushes it again.
  public func push(_ samples: Span<Float>) -> Int {
    push(count: samples.count / channelCount) { start, count, target in
      for index in 0..<(count * channelCount) {
        let sample = samples[start * channelCount + index]
        target[index] = sample.isFinite ? sample : 0
        if !sample.isFinite { nonFinite.wrappingAdd(1, ordering: .relaxed) }
      }
    }
  }

  /// Number of pushed samples that were NaN or infinite. Thread: any.
  public var nonFiniteSamples: Int { nonFinite.load(ordering: .relaxed) }

  /// Ends the stream: waiting samples are played, then the source is exhausted. Thread: any.
  ///
  /// - Returns: False if the ring has no capacity yet for the converter's last samples; call again when some have been
  ///   played.
  @discardableResult
  public func finish() -> Bool {
    input.withLock { input in
      guard end.load(ordering: .relaxed) < 0 else { return true }
      guard input.flush() else { return false }
      // Before the ring is marked, so that a reader that sees the source exhausted knows its end.
      end.store(input.outputTotal, ordering: .releasing)
      input.ring.finish()
      ready.ring()
      return true
    }
  }

  /// Fill level of the ring, 0 to 1. Thread: any.
  public var fullness: Double {
    input.withLock { input in 1 - Double(input.ring.freeCount) / Double(max(1, input.ring.capacity)) }
  }

  /// Number of missing samples per channel that became silence, at the graph's rate. Thread: any.
  public var underrunCount: Int { source.underrunCount }

  public var isReady: Bool { source.sampleCount >= samplesPerTick * channelCount || source.isFinished }
  public var isExhausted: Bool { source.isExhausted }
  public func requestMore() {}
  public var endPosition: Int? {
    let position = end.load(ordering: .acquiring)
    return position < 0 ? nil : position
  }

  private func push(count: Int, fill: (Int, Int, UnsafeMutablePointer<Float>) -> Void) -> Int {
    input.withLock { input in
      guard end.load(ordering: .relaxed) < 0 else { return 0 }
      var accepted = 0
      while accepted < count {
        let chunk = min(count - accepted, input.acceptableCount)
        if chunk == 0 { break }
        fill(accepted, chunk, input.staging)
        input.convert(chunk)
        accepted += chunk
      }
      if accepted > 0 { ready.ring() }
      return accepted
    }
  }
}

/// The pushing side: converter and ring, one thread at a time.
private struct Input: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): reached through a mutex only.
  var ring: RingProducer<Float>
  let staging: UnsafeMutablePointer<Float>
  private(set) var outputTotal = 0
  private var converter: RateConverter
  private var counter: PhaseCounter
  private let converted: UnsafeMutablePointer<Float>
  private let chunk: Int
  private let channelCount: Int
  /// Samples of the converter's delay that are still to be left out, so that the first sample is the first pushed one.
  private var leading: Int

  init(_ format: AudioFormat, sampleRate: Int, ring: consuming RingProducer<Float>) throws(ResamplingError) {
    channelCount = format.channelCount
    chunk = FrameSchedule(sampleRate: format.sampleRate).maximumSamplesPerChannel
    converter = try RateConverter(
      from: format.sampleRate, to: sampleRate, channelCount: channelCount, quality: .lowDelay, maximumInputCount: chunk)
    counter = PhaseCounter(from: format.sampleRate, to: sampleRate)
    leading = converter.delay
    staging = .allocate(capacity: chunk * channelCount)
    let room = counter.maximumOutputCount(forInput: chunk)
    converted = .allocate(capacity: room * channelCount)
    self.ring = ring
  }

  deinit {
    staging.deallocate()
    converted.deallocate()
  }

  /// Samples per channel that one `convert` accepts now.
  var acceptableCount: Int {
    mutating get {
      let free = ring.freeCount / channelCount
      if free >= counter.maximumOutputCount(forInput: chunk) { return chunk }
      var low = 0
      while low < chunk, counter.maximumOutputCount(forInput: low + 1) <= free { low += 1 }
      return low
    }
  }

  /// Converts the samples in `staging` and writes them to the ring, which has the capacity for them.
  mutating func convert(_ count: Int) {
    _ = counter.outputCount(forInput: count)
    write(converter.process(staging, inputCount: count, output: converted))
  }

  /// Pushes silence until all samples have come out of the converter.
  ///
  /// - Returns: False if the ring is full before that.
  mutating func flush() -> Bool {
    while outputTotal < counter.outputTotal {
      guard ring.freeCount / channelCount >= counter.maximumOutputCount(forInput: chunk) else { return false }
      for index in 0..<(chunk * channelCount) { staging[index] = 0 }
      let given = converter.process(staging, inputCount: chunk, output: converted)
      write(min(given, leading + counter.outputTotal - outputTotal))
    }
    return true
  }

  private mutating func write(_ count: Int) {
    let skipped = min(leading, count)
    leading -= skipped
    let region = ring.reserve(upTo: (count - skipped) * channelCount)
    let from = converted + skipped * channelCount
    for index in 0..<region.first.count { region.first[index] = from[index] }
    for index in 0..<region.second.count { region.second[index] = from[region.first.count + index] }
    ring.commit(region.count)
    outputTotal += region.count / channelCount
  }
}
