import AudioFiles
import AudioGraph
import Engine
import FileTestSupport
import FrameObservers
import Glibc
import OfflineProcessing
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FrameProgramTests {
  let files = TestFiles()

  init() { signal(SIGPIPE, SIG_IGN) }

  private func job(_ planes: [[Float]], _ program: FrameProgram, sampleRate: Int = 48_000) throws -> FileProcessing {
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", planes, sampleRate: sampleRate))
    job.output = .path(files.path("out.wav"), container: nil)
    job.programs = [program]
    _ = files.path("out.wav.part")
    return job
  }

  /// Interleaved 16-bit samples, as a program reads them.
  private func pcm(_ planes: [[Float]]) -> [UInt8] {
    planes[0].indices.flatMap { index in
      planes.flatMap { plane in
        withUnsafeBytes(of: Int16(clamping: Int((plane[index] * 32_768).rounded())).littleEndian) { Array($0) }
      }
    }
  }

  @Test(
    "a reader at each position gets the samples without delay or drain",
    arguments: [8_000, 22_050, 48_000])
  func reader(sampleRate: Int) throws {
    let planes = (0..<2).map { seededNoise(count: sampleRate / 4 + 3, seed: UInt64($0 + 1)) }
    var program = FrameProgram(
      "cat > \"$FOLDER/$AUDIOPIPE_POSITION\"", at: [.record, .beforeMixing, .playback, .mixed])
    program.environment = ["FOLDER": files.folder]
    let result = try job(planes, program, sampleRate: sampleRate).prepare().run()
    #expect(result.programFailures.isEmpty)
    for name in ["record", "beforeMixing", "playback", "mixed"] {
      #expect(files.bytes(files.path(name)) == pcm(planes), "\(name)")
    }
    #expect(try files.read(files.path("out.wav")) == planes)
  }

  @Test("an edge counts the taken and the dropped frames of a program", arguments: [8_000, 48_000])
  func edges(sampleRate: Int) throws {
    let count = 3 * sampleRate + 5
    let planes = (0..<2).map { seededNoise(count: count, seed: UInt64($0 + 1)) }
    let jobs = [
      FrameProgram("cat > /dev/null", at: [.record, .beforeMixing]),
      FrameProgram("head -c 400 > /dev/null", at: .mixed),
      FrameProgram("cat", at: .playback, as: .filter),
    ]
    var job = try job(planes, jobs[0], sampleRate: sampleRate)
    job.programs = jobs
    let result = try job.prepare().run()
    let edges = Dictionary(uniqueKeysWithValues: result.edges.map { ($0.name, $0) })
    for edge in result.edges { #expect(edge.imbalance == 0, "\(edge)") }
    for name in ["program 1: record of user 1", "program 1: beforeMixing of user 1"] {
      #expect(edges[name]?.ledger.input == count && edges[name]?.ledger.output == count)
    }
    let left = try #require(edges["program 2: mixed"]).ledger
    #expect(left.input == count && left.output >= 100 && left.dropped > 0 && left.output + left.dropped == count)
    // A filter is given whole frames: the last one too, and those that drain the delay.
    let filter = try #require(edges["program 3: playback"]).ledger
    let calls = try #require(result.positions.first { $0.source.position == .playback }).calls
    #expect(filter.input == filter.output && filter.input == calls * sampleRate / 100)
  }

  @Test("a cancelled job does not wait for a filter and keeps its output")
  func cancelledFilter() throws {
    let count = Atomic<Int>(0)
    var job = try job(
      [seededNoise(count: 9_000, seed: 1)], FrameProgram("cat > /dev/null; sleep 100", at: .mixed, as: .filter))
    // Some of the first questions are requested before the filter has its frame.
    job.isCancelled = { count.wrappingAdd(1, ordering: .relaxed).newValue > 20 }
    let result = try job.prepare().run()
    #expect(result.isCancelled)
    let samples = try files.read(files.path("out.wav"))[0]
    #expect(samples.count == result.outputSamplesPerChannel && samples.allSatisfy { $0 == 0 })
    for edge in result.edges { #expect(edge.imbalance == 0, "\(edge)") }
  }

  @Test("a filter that the shell does not find is reported")
  func missingFilter() throws {
    let job = try job([seededNoise(count: 9_000, seed: 1)], FrameProgram("no-such-program", at: .mixed, as: .filter))
    let error = #expect(throws: FrameProgramError.self) { try job.prepare().run() }
    #expect(error?.reason == .exit(127) && error?.category == .unavailable)
  }

  @Test("frames for a program are accounted for in a stopped job", arguments: [1, 40])
  func edgesOfStopped(ticks: Int) throws {
    let program = FrameProgram("cat > /dev/null", at: [.record, .mixed])
    let job = try job([seededNoise(count: 96_000, seed: 1)], program).prepare()
    let result = try job.run(shouldStop: { job.pipeline.tickCount == ticks })
    let edges = result.edges.filter { $0.name.hasPrefix("program") }
    #expect(edges.count == 2)
    for edge in edges { #expect(edge.imbalance == 0 && edge.ledger.input > 0, "\(edge)") }
  }

  @Test("a slow program loses no data beyond the capacity of its pipe")
  func slowReader() throws {
    let planes = [seededNoise(count: 480_000, seed: 1)]
    var program = FrameProgram("(dd bs=1 count=1000 status=none; cat) > \"$FOLDER/all\"", at: .mixed)
    program.environment = ["FOLDER": files.folder]
    #expect(try job(planes, program).prepare().run().programFailures.isEmpty)
    #expect(files.bytes(files.path("all")) == pcm(planes))
  }

  @Test("a failed reader is reported, and the output is complete")
  func failingReader() throws {
    let planes = [seededNoise(count: 9_000, seed: 1)]
    let result = try job(planes, FrameProgram("cat > /dev/null; exit 5", at: .mixed)).prepare().run()
    #expect(result.programFailures.map(\.reason) == [.exit(5)])
    #expect(result.programFailures.first?.category == .inputOutput)
    #expect(try files.read(files.path("out.wav")) == planes)
  }

  @Test("untouched samples of a filter keep the bits below 16")
  func filter() throws {
    let noise = seededNoise(count: 9_001, seed: 1)
    // 24 bits, of which a filter sees 16.
    let planes = [noise.map { ($0 * 0x1p23).rounded() * 0x1p-23 }]
    let job = try job(planes, FrameProgram("cat", at: .record, as: .filter))
    // The same file, now with all its bits.
    _ = try files.write("in.wav", planes, as: .int24)
    _ = try job.prepare().run()
    #expect(try files.read(files.path("out.wav")) == planes)
  }

  @Test(
    "a filter with a wrong answer ends the job without output",
    arguments: [
      ("exec sleep 100", FrameProgramError.Reason.late(answered: 0, of: 960, milliseconds: 50)),
      ("cat /dev/zero", .answeredMore), ("exec < /dev/null > /dev/null; sleep 100", .ended(answered: 0, of: 960)),
      ("cat; exit 3", .exit(3)), ("kill -9 $$", .ended(answered: 0, of: 960)),
    ])
  func failingFilter(command: String, reason: FrameProgramError.Reason) throws {
    var program = FrameProgram(command, at: .mixed, as: .filter)
    if case .late = reason { program.answerLimitMilliseconds = 50 }
    let job = try job([seededNoise(count: 9_000, seed: 1)], program)
    let error = try #require(throws: FrameProgramError.self) { _ = try job.prepare().run() }
    #expect(error.reason == reason && error.category == .badData && error.description.contains("'\(command)'"))
    #expect(access(files.path("out.wav"), F_OK) != 0 && access(files.path("out.wav.part"), F_OK) != 0)
  }

  @Test("a live pipeline refuses a filter")
  func live() throws {
    let pipeline = try AudioPipeline()
    let error = #expect(throws: EngineError.self) {
      _ = try pipeline.attach(FrameProgram("cat", at: .mixed, as: .filter))
    }
    #expect(error?.code == .refused)
  }

  @Test("programs inherit neither other pipes nor an ignored SIGPIPE")
  func inheritance() throws {
    // `yes | head` ends only where SIGPIPE ends `yes`; with an inherited pipe a `cat` would never see its end.
    var program = FrameProgram(
      "yes | head -1 > \"$FOLDER/$AUDIOPIPE_POSITION\"; cat > /dev/null", at: [.record, .mixed])
    program.environment = ["FOLDER": files.folder]
    let result = try job([seededNoise(count: 960, seed: 1)], program).prepare().run()
    #expect(result.programFailures.isEmpty)
    #expect(files.bytes(files.path("record")) == Array("y\n".utf8))
    #expect(files.bytes(files.path("mixed")) == Array("y\n".utf8))
  }

  @Test(
    "a stalled program is reported once, and a cancel ends the wait", .shows("process: programs"),
    arguments: [
      (480_000, "exec sleep 100", FrameProgram.Role.reader, 200),
      (960, "cat > /dev/null; exec sleep 100", .reader, 200),
      // A filter has to answer within the same limit, on a machine that is busy.
      (960, "cat; exec sleep 100", .filter, 2_000),
    ])
  func stalled(count: Int, command: String, role: FrameProgram.Role, milliseconds: Int) throws {
    var program = FrameProgram(command, at: role == .filter ? .mixed : [.record, .mixed], as: role)
    program.answerLimitMilliseconds = milliseconds
    var job = try job([seededNoise(count: count, seed: 1)], program)
    let sentences = Guarded<[String]>([])
    job.onProgramWait = { sentence in sentences.withLock { $0.append(sentence) } }
    job.isCancelled = { sentences.withLock { !$0.isEmpty } }
    _ = try job.prepare().run()
    let told = sentences.withLock { $0 }
    let limit = milliseconds == 2_000 ? "2 s" : "\(milliseconds) ms"
    #expect(told == ["waits for the program '\(command)' to read on or to end, for \(limit) by now"])
  }

  @Test("a job that is cancelled is not held up by a program that does not read")
  func cancelled() throws {
    let job = try job([seededNoise(count: 480_000, seed: 1)], FrameProgram("exec sleep 100", at: .mixed))
    let prepared = try job.prepare()
    var requested = 0
    let result = try prepared.run(shouldStop: {
      requested += 1
      return requested > 20
    })
    #expect(result.isCancelled && result.programFailures.isEmpty && result.ledger.imbalance() == 0)
  }
}
