public import AudioGraph
import Resampling
import Synchronization

/// A user whose samples a program pushes, in any legal format, from any thread.
///
///     program ── push ──▶ [rate] ──ring──▶ node   audio thread
///
/// A ring that runs empty is silence and counts as an underrun; one that is full accepts less.
public final class PushSource: AudioSource {
  public let node: any AudioNode
  public let channelCount: Int
  public let sampleRate: Int
  /// Format of what is pushed.
  public let format: AudioFormat
  private let source: SampleSourceNode
  private let ring: Ring<Float>
  private let ready: Doorbell
  private let samplesPerTick: Int
  private let input: Guarded<Input>
  private let end = Atomic<Int>(-1)
  private let nonFinite = Atomic<Int>(0)

  /// - Parameters:
  ///   - format: what will be pushed.
  ///   - sampleRate: the graph's rate, in Hz.
  ///   - capacityMilliseconds: audio that may wait; 20 ms to 10 minutes.
  ///   - ready: rung when samples have come: the pipeline's `bell`.
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

  /// Takes interleaved 16-bit samples. Thread: any; one call at a time gets in.
  ///
  /// Returns: samples per channel that were accepted; the rest found no room and is the caller's to push again.
  public func push(_ samples: Span<Int16>) -> Int {
    push(count: samples.count / channelCount) { start, count, target in
      for index in 0..<(count * channelCount) {
        target[index] = Float(samples[start * channelCount + index]) * 0x1p-15
      }
    }
  }

  /// Takes interleaved Float32 samples, nominal range -1...1; those that are no number or infinite become 0 and are
  /// counted. Otherwise as for 16 bits.
  public func push(_ samples: Span<Float>) -> Int {
    push(count: samples.count / channelCount) { start, count, target in
      for index in 0..<(count * channelCount) {
        let sample = samples[start * channelCount + index]
        target[index] = sample.isFinite ? sample : 0
        if !sample.isFinite { nonFinite.wrappingAdd(1, ordering: .relaxed) }
      }
    }
  }

  /// Samples pushed that were no number or infinite. Thread: any.
  public var nonFiniteSamples: Int { nonFinite.load(ordering: .relaxed) }

  /// Says that nothing more will come: what waits is played, then the source is exhausted. Thread: any.
  ///
  /// Returns: false when the converter's last samples find no room yet; call again when some has been played.
  @discardableResult
  public func finish() -> Bool {
    input.withLock { input in
      guard end.load(ordering: .relaxed) < 0 else { return true }
      guard input.flush() else { return false }
      // Before the ring is marked, so that whoever sees the source exhausted knows where it ends.
      end.store(input.outputTotal, ordering: .releasing)
      input.ring.finish()
      ready.ring()
      return true
    }
  }

  /// How full the ring is, 0 to 1. Thread: any.
  public var fullness: Double {
    input.withLock { input in 1 - Double(input.ring.freeCount) / Double(max(1, input.ring.capacity)) }
  }

  /// Samples per channel, at the graph's rate, that were missing and became silence. Thread: any.
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
  /// Samples of the converter's delay that are still to be left out, so that the first sample is the first pushed.
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

  /// Samples per channel that one `convert` can take now.
  var acceptableCount: Int {
    mutating get {
      let free = ring.freeCount / channelCount
      if free >= counter.maximumOutputCount(forInput: chunk) { return chunk }
      var low = 0
      while low < chunk, counter.maximumOutputCount(forInput: low + 1) <= free { low += 1 }
      return low
    }
  }

  /// Converts what lies in `staging` and puts it into the ring, which has room for it.
  mutating func convert(_ count: Int) {
    _ = counter.outputCount(forInput: count)
    write(converter.process(staging, inputCount: count, output: converted))
  }

  /// Pushes silence until all that went in has come out. Returns: false when the ring is full before that.
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
