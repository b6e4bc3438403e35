import AudioFiles
import FileTestSupport
import OfflineProcessing
import Platform
import TestSupport
import Testing

@Suite("Several jobs at once", .timeLimit(.minutes(10)))
struct ParallelJobsTests {
  private let files = TestFiles()

  /// Files of noise, each longer and louder than the one before.
  private func paths(_ count: Int, seconds: Double = 1) throws -> [String] {
    try (0..<count).map { index in
      let noise = seededNoise(
        count: Int(seconds * 8_000) + 800 * index, seed: UInt64(index), amplitude: 0.1 * Float(index + 1))
      return try files.write("\(index).wav", [noise], sampleRate: 8_000)
    }
  }

  @Test(
    "each job ends once, with the result that it has alone", .shows("parallel jobs"), arguments: [1, 2, 5, nil])
  func results(parallel: Int?) async throws {
    let analyses = try paths(5).map { FileAnalysis(.path($0)) }
    let results = await FileAnalysis.run(analyses, parallel: parallel).results()
    #expect(results.count == 5)
    for (analysis, result) in zip(analyses, results) {
      let (alone, result) = (try analysis.run(), try result.get())
      #expect(result.total == alone.total && result.samplesPerChannel == alone.samplesPerChannel)
    }
  }

  @Test("a job that fails does not end the others", .shows("parallel jobs"), arguments: [1, 3])
  func failures(parallel: Int) async throws {
    var analyses = try paths(4).map { FileAnalysis(.path($0)) }
    analyses[1].input = .path(files.path("missing.wav"))
    let results = await FileAnalysis.run(analyses, parallel: parallel).results()
    #expect(results.map { (try? $0.get()) != nil } == [true, false, true, true])
    #expect(throws: AudioFileError.self) { try results[1].get() }
  }

  @Test("progress of a job grows and comes before its end", .shows("parallel jobs"))
  func progress() async throws {
    let analyses = try paths(3, seconds: 2).map { FileAnalysis(.path($0)) }
    var (seconds, ended) = ([0.0, 0, 0], Set<Int>())
    for await event in FileAnalysis.run(analyses, parallel: 2) {
      switch event {
      case .progress(let job, let done, let total):
        #expect(done > seconds[job] && total == 2 + 0.1 * Double(job) && !ended.contains(job))
        seconds[job] = done
      case .ended(let job, let result):
        #expect(ended.insert(job).inserted && (try? result.get()) != nil)
      }
    }
    #expect(ended == [0, 1, 2])
  }

  @Test("a job reports its progress at most ten times a second", .shows("parallel jobs"))
  func progressPace() async throws {
    let analyses = try paths(2, seconds: 120).map { FileAnalysis(.path($0)) }
    let (clock, start) = (ContinuousClock(), ContinuousClock.now)
    var counts = [0, 0]
    for await event in FileAnalysis.run(analyses, parallel: 2) {
      if case .progress(let job, _, _) = event { counts[job] += 1 }
    }
    // Without a limit there would be 600.
    let most = 2 + Int((clock.now - start) / .milliseconds(100))
    #expect(counts.allSatisfy { $0 <= most } && counts != [0, 0], "\(counts)")
  }

  @Test("each piece is done once, and no more run at once than are allowed", arguments: [1, 2, 5])
  func most(workers: Int) {
    let running = Guarded((now: 0, most: 0, done: [Int]()))
    let pool = WorkerPool(count: 40, workerCount: workers, shouldStop: { false }) { index in
      running.withLock { running in
        running.now += 1
        running.most = max(running.most, running.now)
        running.done.append(index)
      }
      _ = seededNoise(count: 5_000, seed: UInt64(index))
      running.withLock { $0.now -= 1 }
    }
    #expect(pool.run() == 40)
    #expect(running.withLock { $0.most } <= workers && running.withLock { $0.done.sorted() } == Array(0..<40))
  }

  @Test("cancellation of the task leaves the results so far", .shows("parallel jobs"))
  func cancelled() async throws {
    // The first two cannot end by themselves: they wait for pipes that stay open.
    let pipes = try (0..<2).map { _ in try OpenPipe() }
    let raw = try RawFormat(parsing: "s16:8000:1")
    let begun = AsyncStream.makeStream(of: Void.self)
    let analyses = pipes.map { pipe in
      var analysis = FileAnalysis(.descriptor(pipe.reading, name: "pipe", raw: raw))
      analysis.setUp = { _ in begun.continuation.yield() }
      return analysis
    }
    let others = try paths(2).map { FileAnalysis(.path($0)) }
    let task = Task { await FileAnalysis.run(analyses + others, parallel: 2).results() }
    var iterator = begun.stream.makeAsyncIterator()
    for _ in pipes { _ = await iterator.next() }
    task.cancel()
    let results = await task.value
    withExtendedLifetime(pipes) {}
    #expect(try results[..<2].allSatisfy { try $0.get().isCancelled })
    for result in results[2...] { #expect(throws: CancellationError.self) { try result.get() } }
  }

  @Test("a loop that is left early cancels the jobs", .shows("parallel jobs"))
  func left() async throws {
    final class Held: Sendable {
      let released: AsyncStream<Void>.Continuation
      init(_ released: AsyncStream<Void>.Continuation) { self.released = released }
      deinit { released.finish() }
    }
    let released = AsyncStream.makeStream(of: Void.self)
    let pipe = try OpenPipe()
    do {
      let held = Held(released.continuation)
      var endless = FileAnalysis(.descriptor(pipe.reading, name: "pipe", raw: try RawFormat(parsing: "s16:8000:1")))
      endless.setUp = { _ in _ = held }
      for await event in FileAnalysis.run([endless, FileAnalysis(.path(try paths(1)[0]))], parallel: 2) {
        if case .ended(1, _) = event { break }
      }
    }
    // The thread of the job has released it.
    for await _ in released.stream {}
    withExtendedLifetime(pipe) {}
  }

  @Test("no jobs are an empty sequence", .shows("parallel jobs"))
  func none() async {
    #expect(await FileAnalysis.run([], parallel: 3).results().isEmpty)
  }

  @Test("processing writes the files that each job writes alone", .shows("parallel jobs"))
  func processing() async throws {
    func job(_ path: String, _ output: String) -> FileProcessing {
      var job = FileProcessing()
      job.input = .path(path)
      job.output = .path(files.path(output), container: nil)
      return job
    }
    let paths = try paths(3)
    let jobs = paths.enumerated().map { job($1, "parallel\($0).wav") }
    for result in await FileProcessing.run(jobs, parallel: 3).results() { _ = try result.get() }
    for (index, path) in paths.enumerated() {
      _ = try job(path, "alone\(index).wav").prepare().run()
      let written = try AudioFileReader.open(path: files.path("parallel\(index).wav")).readAll()
      #expect(try written == AudioFileReader.open(path: files.path("alone\(index).wav")).readAll())
      #expect(written.samplesPerChannel == 8_000 + 800 * index)
    }
  }
}
