public import AudioGraph
import Synchronization

/// A user with samples that a program pushes, in any legal format, from any thread.
///
///     program ── push ──▶ [rate] ──ring──▶ node   audio thread
///
/// An empty ring is silence and counts as an underrun: the sound fades out over 5 ms, and in when it returns. Several
/// utterances are pushed one behind the other; `clear` and `interrupt` discard those that wait.
///
/// ```swift
/// let pipeline = try AudioPipeline()
/// let bot = try pipeline.addSpeaker(1, from: .push(AudioFormat(sampleRate: 16_000, channelCount: 1)))
/// try pipeline.start()
/// let speech = [Int16](repeating: 0, count: 1_600)
/// try await bot.push(speech)
/// await bot.played()
/// pipeline.stop()
/// ```
public final class PushSource: AudioSource {
  public let node: any AudioNode
  public let channelCount: Int
  public let sampleRate: Int
  /// Format of the pushed samples.
  public let format: AudioFormat
  private let source: SampleSourceNode
  private let ready: Doorbell
  private let samplesPerTick: Int
  private let input: Guarded<PushInput>
  /// Samples per channel written to the ring before the end; below 0 before it.
  private let end = Atomic<Int>(-1)
  private let nonFinite = Atomic<Int>(0)
  /// Whether nothing takes samples any more.
  private let isDetached = Atomic<Bool>(false)

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - format: Format of the samples that will be pushed.
  ///   - sampleRate: The graph's rate, in Hz.
  ///   - uid: The user.
  ///   - buffer: Duration of the audio that may wait; 20 ms to 10 minutes.
  ///   - ready: Rung when samples have come: `PipelineContext.ready`.
  /// - Throws: `EngineError` with code `.invalidArgument` for a rate that cannot be converted or a buffer out of range.
  public init(
    _ format: AudioFormat, sampleRate: Int, uid: UInt32 = 0, buffer: Duration = .seconds(2), ready: Doorbell
  ) throws(EngineError) {
    guard buffer >= .milliseconds(20), buffer <= .seconds(600) else {
      throw EngineError(.invalidArgument, "a push source cannot hold \(buffer); use 20 ms to 10 minutes")
    }
    self.format = format
    self.ready = ready
    channelCount = format.channelCount
    self.sampleRate = sampleRate
    samplesPerTick = FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel
    let capacity = Int(buffer / .milliseconds(1)) * sampleRate / 1_000 * format.channelCount
    let ring = Ring<Float>(capacity: capacity, initial: 0)
    source = SampleSourceNode(
      reading: ring.takeConsumer(), channelCount: format.channelCount, sampleRate: sampleRate, sourceID: uid)
    node = source
    do {
      input = Guarded(try PushInput(format, sampleRate: sampleRate, ring: ring.takeProducer()))
    } catch {
      throw EngineError(.invalidArgument, "\(format) cannot be pushed: \(error)", cause: error)
    }
  }

  /// Accepts interleaved 16-bit samples. Thread: any; one call at a time proceeds.
  ///
  /// - Returns: Samples per channel that were accepted; the rest exceeds the buffer, and the caller pushes it again.
  public func push(_ samples: Span<Int16>) -> Int { push(samples, from: 0, epoch: nil).count }

  /// Accepts interleaved Float32 samples, nominal range -1...1; NaN and infinite samples become 0 and are counted.
  /// Thread: any; one call at a time proceeds.
  ///
  /// - Returns: Samples per channel that were accepted; the rest exceeds the buffer, and the caller pushes it again.
  public func push(_ samples: Span<Float>) -> Int { push(samples, from: 0, epoch: nil).count }

  /// Accepts all of the interleaved 16-bit samples, and waits while the buffer is full.
  ///
  /// Calls wait for each other, so that each utterance is played as a whole.
  ///
  /// - Returns: False if `clear`, `interrupt` or `finish` came before the last sample was accepted, or the source has
  ///   left the pipeline, or that has ended.
  /// - Throws: `CancellationError` if the task is cancelled; the samples accepted so far are played.
  @discardableResult
  public func push(_ samples: [Int16]) async throws -> Bool {
    try await pushAll(count: samples.count / channelCount) { push(samples.span, from: $0, epoch: $1) }
  }

  /// Accepts all of the interleaved Float32 samples, and waits while the buffer is full.
  ///
  /// - Returns: As for 16-bit samples.
  /// - Throws: `CancellationError` if the task is cancelled; the samples accepted so far are played.
  @discardableResult
  public func push(_ samples: [Float]) async throws -> Bool {
    try await pushAll(count: samples.count / channelCount) { push(samples.span, from: $0, epoch: $1) }
  }

  /// Ends an utterance, and waits until the audio thread has taken its last sample.
  ///
  /// A push after the call begins another utterance.
  ///
  /// - Returns: False if `clear` or `interrupt` has discarded samples since `played` last returned. Also false if the
  ///   task was cancelled, or the source has left the pipeline, or that has ended.
  @discardableResult
  public func played() async -> Bool {
    let epoch = input.withLock { $0.epoch }
    defer { input.withLock { $0.isCut = false } }
    var target: Int?
    while true {
      if let target, source.takenCount >= target { break }
      target = target ?? input.withLock { $0.endUtterance() ? $0.written : nil }
      guard await pause(), !isDetached.load(ordering: .acquiring), input.withLock({ $0.epoch }) == epoch else {
        return false
      }
    }
    return input.withLock { $0.epoch == epoch && !$0.isCut }
  }

  /// Discards all samples that wait. At the next tick the sound fades out over 5 ms, however much was pushed. Samples
  /// pushed after the call are played behind the fade. Thread: any.
  public func clear() {
    input.withLock { input in
      guard end.load(ordering: .relaxed) < 0 else { return }
      let waits = input.written > source.takenCount && !source.isDiscarding
      input.isCut = input.isCut || waits || input.isTurnTaken
      input.restart()
      input.epoch += 1
      source.discard(upTo: input.written)
    }
    ready.ring()
  }

  /// Discards all samples that wait, as `clear` does, and waits for the tick that ends the sound; at most 200 ms, as in
  /// a pipeline that does not run.
  ///
  /// - Returns: Position in the pushed stream behind the last sample that was played, in samples per channel of
  ///   `format`. It counts all samples ever pushed, with those that were discarded.
  @discardableResult
  public func interrupt() async -> Int {
    clear()
    let target = input.withLock { $0.written }
    // A cancelled task needs the position, too.
    for _ in 0..<40 where source.isDiscarding && !isDetached.load(ordering: .acquiring) {
      _ = await Task { await pause() }.value
    }
    // The last sample may have been taken before the tick saw the call.
    let position = source.discardEnd == target ? source.discardPosition : min(target, source.takenCount)
    return position * format.sampleRate / sampleRate
  }

  /// Whether samples were pushed. Thread: any.
  package var hasSamples: Bool { input.withLock { $0.written > 0 } }

  /// Number of pushed samples that were NaN or infinite. Thread: any.
  public var nonFiniteSamples: Int { nonFinite.load(ordering: .relaxed) }

  /// Ends the stream: waiting samples are played, then the source is exhausted. Thread: any.
  ///
  /// - Returns: False if the buffer has no capacity yet for the converter's last samples; call again when some have
  ///   been played.
  @discardableResult
  public func finish() -> Bool {
    input.withLock { input in
      guard end.load(ordering: .relaxed) < 0 else { return true }
      guard input.flush() else { return false }
      // Before the ring is marked, so that a reader that sees the source exhausted knows its end.
      end.store(input.written, ordering: .releasing)
      input.ring.finish()
      ready.ring()
      return true
    }
  }

  /// Duration of the sound that waits. Thread: any.
  public var queued: Duration {
    let count = input.withLock { $0.written } - source.takenCount
    return .seconds(source.isDiscarding ? 0 : max(0, count)) / sampleRate
  }

  /// Fill level of the buffer, 0 to 1. Thread: any.
  public var fullness: Double {
    input.withLock { input in 1 - Double(input.ring.freeCount) / Double(max(1, input.ring.capacity)) }
  }

  /// Number of missing samples per channel that became silence, at the graph's rate. Thread: any.
  public var underrunCount: Int { source.underrunCount }

  public var isReady: Bool {
    source.sampleCount >= samplesPerTick * channelCount || source.isFinished || source.isDiscarding
  }
  public var isExhausted: Bool { source.isExhausted }
  public func requestMore() {}

  /// Ends the waits of `push`, `played` and `interrupt`; further samples are not accepted.
  public func detach() { isDetached.store(true, ordering: .releasing) }

  public var endPosition: Int? {
    let written = end.load(ordering: .acquiring)
    return written < 0 || source.isDiscarding ? nil : written + source.insertedCount
  }

  private func push(_ samples: Span<Int16>, from first: Int, epoch: Int?) -> Accepted {
    accept(count: samples.count / channelCount - first, epoch: epoch) { start, count, target in
      let base = (first + start) * channelCount
      for index in 0..<(count * channelCount) { target[index] = Float(samples[base + index]) * 0x1p-15 }
    }
  }

  private func push(_ samples: Span<Float>, from first: Int, epoch: Int?) -> Accepted {
    accept(count: samples.count / channelCount - first, epoch: epoch) { start, count, target in
      let base = (first + start) * channelCount
      for index in 0..<(count * channelCount) {
        let sample = samples[base + index]
        target[index] = sample.isFinite ? sample : 0
        if !sample.isFinite { nonFinite.wrappingAdd(1, ordering: .relaxed) }
      }
    }
  }

  private typealias Accepted = (count: Int, epoch: Int?)

  /// Accepts samples as long as there is capacity.
  ///
  /// - Parameters:
  ///   - count: Number of samples per channel.
  ///   - epoch: Epoch in which the samples belong; nil: the present one.
  ///   - fill: Copies samples, from a first one, to the converter's input.
  /// - Returns: Number of accepted samples; the epoch is nil if it, or the source, has ended.
  private func accept(
    count: Int, epoch: Int?, fill: (Int, Int, UnsafeMutablePointer<Float>) -> Void
  ) -> Accepted {
    input.withLock { input in
      guard end.load(ordering: .relaxed) < 0, !isDetached.load(ordering: .acquiring),
        epoch == nil || epoch == input.epoch
      else { return (0, nil) }
      var accepted = 0
      while accepted < count {
        let chunk = min(count - accepted, input.acceptableCount)
        if chunk == 0 { break }
        fill(accepted, chunk, input.staging)
        input.convert(chunk)
        accepted += chunk
      }
      if accepted > 0 { ready.ring() }
      return (accepted, input.epoch)
    }
  }

  private func pushAll(count: Int, _ push: (_ first: Int, _ epoch: Int?) -> Accepted) async throws -> Bool {
    var accepted = 0
    var epoch: Int?
    while !input.withLock({ $0.takeTurn() }) {
      guard await pause() else { throw CancellationError() }
    }
    defer { input.withLock { $0.isTurnTaken = false } }
    while true {
      let result = push(accepted, epoch)
      guard let present = result.epoch else { return false }
      (accepted, epoch) = (accepted + result.count, present)
      if accepted >= count { return true }
      guard await pause() else { throw CancellationError() }
    }
  }

  /// Waits for the audio thread, which must not wake anybody.
  ///
  /// - Returns: False if the task is cancelled.
  private func pause(_ duration: Duration = .milliseconds(5)) async -> Bool {
    (try? await Task.sleep(for: duration)) != nil
  }
}
