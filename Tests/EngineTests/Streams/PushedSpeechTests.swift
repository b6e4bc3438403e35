import AudioGraph
import Engine
import FrameObservers
import GraphTestSupport
import Synchronization
import TestSupport
import Testing

/// Utterances that a program pushes live: their fades, their end, and their interruption.
@Suite(.timeLimit(.minutes(10))) struct PushedSpeechTests {
  private static let amplitude: Float = 0.5
  private static let frequency = 440.0
  /// Largest step of the tone itself, and that of a fade over 5 ms.
  private static let largestStep = amplitude * Float(2 * Double.pi * frequency / 48_000) + amplitude / 240 + 1e-5

  /// A live pipeline of one pushed user, in virtual time.
  private struct Rig {
    let pipeline: AudioPipeline
    let source: PushSource
    let clock = GatedClock()
    let seen = Collector()

    init(sampleRate: Int = 48_000, buffer: Duration = .seconds(2)) throws {
      pipeline = try AudioPipeline(channelCount: 1)
      source = try pipeline.addRemoteUser(
        1, from: .push(AudioFormat(sampleRate: sampleRate, channelCount: 1), buffer: buffer))
      _ = try pipeline.observe(seen.request(at: .beforeMixing))
      try pipeline.start(clock: clock)
    }

    /// Runs until a tick count.
    func run(ticks: Int) {
      clock.open(untilNanoseconds: (ticks - 1) * 10_000_000)
      #expect(eventually { pipeline.tickCount >= ticks })
    }

    func stop() -> [Float] {
      clock.open(untilNanoseconds: .max)
      pipeline.stop()
      return seen.stream(FrameOrigin(position: .beforeMixing, uid: 1))
    }
  }

  private func tone(_ count: Int, from start: Int = 0, sampleRate: Int = 48_000) -> [Float] {
    (start..<start + count).map { Self.amplitude * sine(Self.frequency * Double($0) / Double(sampleRate)) }
  }

  @Test("a source that runs dry fades out, and its sound fades in again", .shows("pushed speech"))
  func dry() throws {
    let rig = try Rig()
    // 130 ms end at a quarter of a period, at full amplitude.
    let count = 6_245
    #expect(rig.source.push(tone(count).span) == count)
    rig.run(ticks: 40)
    #expect(rig.source.push(tone(count, from: count).span) == count)
    rig.run(ticks: 80)
    let heard = rig.stop()
    #expect(Array(heard[..<count]) == tone(count))
    #expect(heard[(count + 240)..<19_200].allSatisfy { $0 == 0 })
    #expect(Array(heard[19_440..<(19_200 + count)]) == Array(tone(count, from: count)[240...]))
    #expect(heard[(19_200 + count + 240)...].allSatisfy { $0 == 0 })
    #expect(Signals.largestStep(heard) <= Self.largestStep)
  }

  @Test("played is false after a cut and true for the next utterance", .shows("pushed speech"))
  func playedAfterCut() async throws {
    let rig = try Rig()
    #expect(rig.source.push(tone(9_600).span) == 9_600)
    rig.run(ticks: 5)
    rig.source.clear()
    rig.run(ticks: 10)
    let cut = await rig.source.played()
    #expect(!cut)
    for index in 1...2 {
      #expect(rig.source.push(tone(4_800).span) == 4_800)
      rig.run(ticks: 10 + 30 * index)
      let isPlayed = await rig.source.played()
      #expect(isPlayed)
      // Nothing waits, so that nothing is cut.
      rig.source.clear()
    }
    _ = rig.stop()
  }

  @Test("a clear ends the sound within a frame and 5 ms, however much waits", .shows("pushed speech", "C22"))
  func clear() throws {
    let rig = try Rig()
    #expect(rig.source.push(tone(96_000).span) == 96_000)
    rig.run(ticks: 20)
    rig.source.clear()
    #expect(rig.source.queued == .zero)
    #expect(rig.source.push(tone(9_600).span) == 9_600)
    rig.run(ticks: 60)
    let heard = rig.stop()
    #expect(Array(heard[..<9_600]) == tone(9_600))
    // The fade, and behind it the next utterance, faded in.
    #expect(Array(heard[(9_600 + 480)..<(9_600 + 240 + 9_600)]) == Array(tone(9_600)[240...]))
    #expect(heard[20_000...].allSatisfy { $0 == 0 })
    #expect(Signals.largestStep(heard) <= Self.largestStep)
  }

  @Test(
    "an interruption returns the position behind the last played sample", .shows("pushed speech", "C22"),
    arguments: [48_000, 16_000])
  func interrupt(sampleRate: Int) async throws {
    let rig = try Rig(sampleRate: sampleRate)
    #expect(rig.source.push(tone(sampleRate, sampleRate: sampleRate).span) == sampleRate)
    rig.run(ticks: 20)
    async let position = rig.source.interrupt()
    while rig.source.queued != .zero { await Task.yield() }
    rig.run(ticks: 21)
    // 20 frames, and the 5 ms of the fade.
    #expect(await position == (20 * 480 + 240) * sampleRate / 48_000)
    let heard = rig.stop()
    #expect(heard[(21 * 480)...].allSatisfy { $0 == 0 })
    // The converter overshoots where the tone begins.
    #expect(Signals.largestStep(heard[480...]) <= Self.largestStep)
  }

  @Test("an interruption behind the end returns the end", .shows("pushed speech"))
  func interruptedSilence() async throws {
    let rig = try Rig()
    #expect(await rig.source.interrupt() == 0)
    #expect(rig.source.push(tone(480).span) == 480)
    rig.run(ticks: 5)
    #expect(await rig.source.interrupt() == 480)
    _ = rig.stop()
  }

  @Test("utterances are awaited one behind the other, unless they are cleared", .shows("pushed speech", "C22"))
  func utterances() async throws {
    let rig = try Rig(sampleRate: 16_000)
    let order = Mutex<[String]>([])
    let speech = tone(3_200, sampleRate: 16_000)
    let speaker = Task {
      for name in ["first", "second"] {
        try await rig.source.push(speech)
        let isWhole = await rig.source.played()
        order.withLock { $0.append(isWhole ? name : "cut") }
      }
    }
    while rig.source.queued < .milliseconds(190) { await Task.yield() }
    rig.run(ticks: 15)
    #expect(order.withLock { $0 } == [])
    rig.run(ticks: 25)
    while order.withLock({ $0 }).isEmpty { await Task.yield() }
    while rig.source.queued < .milliseconds(190) { await Task.yield() }
    rig.source.clear()
    rig.run(ticks: 30)
    try await speaker.value
    #expect(order.withLock { $0 } == ["first", "cut"])
    _ = rig.stop()
  }

  @Test("a push that is longer than the buffer waits, and ends with a clear", .shows("pushed speech"))
  func longPush() async throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    let source = try pipeline.addRemoteUser(1, from: .push(format, buffer: .milliseconds(100)))
    let sink = try pipeline.addSink(.pull(format, capacity: 300))
    let speech = tone(48_000)
    async let run: Void = pipeline.run()
    #expect(try await source.push(speech))
    source.finish()
    try await run
    var samples = [Float](repeating: 9, count: 48_000)
    var span = samples.mutableSpan
    #expect(sink.pull(into: &span) == 48_000 && samples == speech)

    let rig = try Rig(buffer: .milliseconds(100))
    let push = Task { try await rig.source.push(speech) }
    while rig.source.fullness < 1 { await Task.yield() }
    rig.source.clear()
    #expect(try await push.value == false)
    _ = rig.stop()
  }

  @Test("no push, stall or clear makes a step", .shows("pushed speech"), arguments: 0..<20)
  func noStep(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rig = try Rig()
    // The phase goes on from push to push: every step would be one of the source.
    var (ticks, pushed) = (1, rig.source.push(tone(480).span))
    rig.run(ticks: ticks)
    for _ in 0..<60 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: rig.source.clear()
      case 1:
        ticks += Int.random(in: 1...6, using: &random)
        rig.run(ticks: ticks)
      default: pushed += rig.source.push(tone(Int.random(in: 1...4_000, using: &random), from: pushed).span)
      }
    }
    rig.run(ticks: ticks + 1)
    let heard = rig.stop()
    #expect(pushed > 20_000 && heard.contains { abs($0) > 0.4 })
    #expect(Signals.largestStep(heard) <= Self.largestStep, "seed \(seed)")
  }

  @Test("frames that a sink drops leave no step in the pulled sound", .shows("pushed speech"), arguments: [1, 2])
  func droppedFrames(channelCount: Int) throws {
    let rig = try Rig()
    let sink = try rig.pipeline.addSink(
      .pull(AudioFormat(sampleRate: 48_000, channelCount: channelCount), capacity: 5))
    #expect(rig.source.push(tone(96_000).span) == 96_000)
    var pulled: [Float] = []
    // Odd counts of ticks, so that no gap is a whole number of periods.
    for ticks in [4, 23, 48, 91] {
      rig.run(ticks: ticks)
      var block = [Float](repeating: 9, count: 96_000)
      var span = block.mutableSpan
      let count = sink.pull(into: &span)
      pulled += stride(from: 0, to: count * channelCount, by: channelCount).map { block[$0] }
    }
    _ = rig.stop()
    #expect(sink.droppedFrameCount > 60)
    #expect(pulled.count >= 4 * 480 && Signals.largestStep(pulled) <= Self.largestStep)
    #expect(pulled.contains { abs($0) > 0.49 })
  }

  @Test("a push and its wait end with the pipeline or the source's removal", .shows("pushed speech"))
  func ended() async throws {
    // Longer than the ticks before the end can take.
    let speech = [Float](repeating: 0.1, count: 9_600_000)
    for leaves in [false, true] {
      let rig = try Rig()
      let (source, long) = (rig.source, Task { try await rig.source.push(speech) })
      while source.queued == .zero { await Task.yield() }
      if leaves { try rig.pipeline.users[1].remove() } else { _ = rig.stop() }
      #expect(try await long.value == false)
      #expect(await source.played() == false)
      #expect(source.push(tone(480).span) == 0)
      if leaves { _ = rig.stop() }
    }
  }

  @Test("two utterances pushed at once are played one behind the other", .shows("pushed speech", "C22"))
  func together() async throws {
    let rig = try Rig(buffer: .milliseconds(100))
    let (low, high) = (tone(24_000), (0..<24_000).map { Self.amplitude * sine(880 * Double($0) / 48_000) })
    let source = rig.source
    let isDone = Mutex(false)
    let both = Task {
      async let first = source.push(low)
      async let second = source.push(high)
      _ = try await (first, second)
      isDone.withLock { $0 = true }
    }
    var ticks = 0
    while !isDone.withLock({ $0 }) {
      ticks += 1
      rig.run(ticks: ticks)
      await Task.yield()
    }
    try await both.value
    let heard = rig.stop()
    // Both are whole periods long: the only step is where one follows the other.
    let steps = zip(heard, heard.dropFirst()).count { abs($1 - $0) > 2 * Self.largestStep }
    #expect(steps == 0, "\(steps)")
  }

  @Test("a sound that ends at its peak does not fall within the converter", .shows("pushed speech"))
  func endAtPeak() async throws {
    let rig = try Rig(sampleRate: 16_000)
    // 16 kHz / 440 Hz: the last sample is close to a peak.
    let count = 16_000 - 16_000 % 400 + 9
    #expect(rig.source.push(tone(count, sampleRate: 16_000).span) == count)
    let whole = Task { await rig.source.played() }
    // The converter's last samples wait, too, once the call has begun.
    while rig.source.queued < .seconds(count) / 16_000 - .microseconds(50) { await Task.yield() }
    rig.run(ticks: 140)
    #expect(await whole.value)
    let heard = rig.stop()
    #expect(Signals.largestStep(heard[480...]) <= 1.3 * Self.largestStep)
  }
}
