import AudioGraph
import Effects
import Engine
import FileTestSupport
import OfflineProcessing
import TestSupport
import Testing

/// Jobs that run by a clock.
@Suite(.timeLimit(.minutes(10))) struct PacedProcessingTests {
  private let files = TestFiles()

  /// A clock whose waits take no time, and which remembers when they ended.
  private final class RememberingClock: EngineClock {
    private let state = Guarded((now: 0, ends: [Int]()))

    var nowNanoseconds: Int { state.withLock { $0.now } }
    var ends: [Int] { state.withLock { $0.ends } }

    func wait(untilNanoseconds time: Int) {
      state.withLock { state in
        state.now = max(state.now, time)
        state.ends.append(state.now)
      }
    }

    func pass(_ nanoseconds: Int) { state.withLock { $0.now += nanoseconds } }
  }

  @Test(
    "a paced run catches up after a short stall, not after a long one",
    .shows("rtp send: a pipe that stalls"),
    arguments: [(5_000_000_000, true), (120_000_000, true), (100_000_000, false), (20_000_000, false)])
  func stalled(nanoseconds: Int, isLong: Bool) throws {
    let clock = RememberingClock()
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", [seededNoise(count: 48_000, seed: 1)], sampleRate: 48_000))
    job.pace = .clock(clock)
    var hasPassed = false
    let result = try job.prepare().run(shouldStop: {
      if !hasPassed, clock.ends.count >= 50 {
        clock.pass(nanoseconds)
        hasPassed = true
      }
      return false
    })
    #expect(result.inputSamplesPerChannel == 48_000 && !result.isCancelled)
    let ends = clock.ends
    let steps = zip(ends.dropFirst(), ends).map { $0 - $1 }
    let stall = try #require(steps.firstIndex { $0 > 10_000_000 })
    #expect(steps[..<stall].allSatisfy { $0 == 10_000_000 })
    if isLong {
      #expect(steps[(stall + 1)...].allSatisfy { $0 == 10_000_000 })
    } else {
      // As if nothing had been.
      #expect(ends.last == (ends.count - 1) * 10_000_000)
    }
  }

  @Test(
    "a stopped job counts the processed input, not the read-ahead", .shows("^C"),
    arguments: [(48_000, 48_000), (44_100, 48_000), (48_000, 44_100), (8_000, 16_000)], [0, 1.25])
  func stopped(rates: (input: Int, output: Int), gain: Double) throws {
    var job = FileProcessing()
    job.input = .path(
      try files.write("in.wav", [seededNoise(count: 4 * rates.input, seed: 2)], sampleRate: rates.input))
    job.output = .path(files.path("out.wav"), container: nil)
    job.sampleRate = rates.output
    job.gain = Decibels(gain)
    job.pace = .clock(VirtualClock())
    job.overwrite = true
    var seconds = 0.0
    let result = try job.prepare().run(progress: { done, _ in seconds = done }, shouldStop: { seconds >= 2 })
    let written = try files.read(files.path("out.wav"))[0].count
    #expect(result.isCancelled && result.outputSamplesPerChannel == written)
    #expect(result.outputSamplesPerChannel > rates.output && result.outputSamplesPerChannel <= 2 * rates.output)
    // At the lower rate, to the sample.
    let (read, put) = (
      result.inputSamplesPerChannel * rates.output, result.outputSamplesPerChannel * rates.input
    )
    #expect(abs(read - put) < max(rates.input, rates.output), "\(read) \(put)")
    if rates.input == rates.output { #expect(read == put) }
  }
}
