import AudioFiles
import AudioGraph
import Effects
import Engine
import FileTestSupport
import FrameObservers
import Glibc
import Platform
import Playback
import Synchronization
import TestSupport
import Testing

/// Sources and sinks that a pipeline makes from descriptions, closures as observers, and runs that are awaited.
@Suite(.timeLimit(.minutes(10))) struct ConnectedEndpointsTests {
  private let files = TestFiles()

  private func voice(_ name: String = "in.wav", count: Int = 48_000) throws -> String {
    try files.write(name, [(0..<count).map { Float($0 % 100) / 200 }])
  }

  @Test(
    "a file passes a pipeline unchanged, and the run completes the output",
    .shows("described sources and sinks"))
  func fileToFile() async throws {
    let path = files.path("out.wav")
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.addSpeaker(1, from: .file(try voice()))
    let sink = try pipeline.addSink(.file(path))
    try await pipeline.run()
    #expect(sink.samplesPerChannelWritten == 48_000)
    #expect(try files.read(path) == files.read(try voice("again.wav")))
  }

  @Test("a delayed file is preceded by silence, exact to the sample", .shows("described sources and sinks"))
  func delay() async throws {
    let path = files.path("out.wav")
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.addSpeaker(1, from: .file(try voice(), after: .microseconds(250_500)))
    try pipeline.addSink(.file(path))
    try await pipeline.run()
    // 0.2505 s are 12024 samples; the first sample of the voice is 0.
    let samples = try files.read(path)[0]
    #expect(samples.count == 60_024 && samples.firstIndex { $0 != 0 } == 12_025)
  }

  @Test("errors of missing, existing and unknown files name the path", .shows("described sources and sinks"))
  func errors() throws {
    let pipeline = try AudioPipeline(mode: .offline)
    let none = files.path("none.wav")
    let missing = #expect(throws: EngineError.self) { try pipeline.addSpeaker(1, from: .file(none)) }
    #expect(missing?.message.contains("none.wav") == true && missing?.cause is AudioFileError)
    let unknown = #expect(throws: EngineError.self) { try pipeline.addSink(.file(files.path("out.xyz"))) }
    #expect(unknown?.message.contains("out.xyz") == true)
    let taken = try voice("taken.wav")
    let exists = #expect(throws: EngineError.self) { try pipeline.addSink(.file(taken)) }
    #expect(exists?.message.contains("taken.wav") == true)
    try pipeline.addSink(.file(taken, overwrite: true))
  }

  @Test("samples that are pushed at 16 kHz are pulled at 8 kHz", .shows("described sources and sinks"))
  func pushAndPull() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let format = try AudioFormat(sampleRate: 16_000, channelCount: 1)
    let source = try pipeline.addRemoteUser(7, from: .push(format, buffer: .seconds(2)))
    let sink = try pipeline.addSink(.pull(try AudioFormat(sampleRate: 8_000, channelCount: 1), capacity: 200))
    #expect(source.push([Int16](repeating: 1_000, count: 16_000).span) == 16_000)
    source.finish()
    try pipeline.runToEnd()
    var samples = [Int16](repeating: 0, count: 10_000)
    var span = samples.mutableSpan
    #expect(sink.pull(into: &span) == 8_000)
    #expect(abs(Int(samples[4_000]) - 1_000) <= 2)
  }

  @Test("closures see frames in the requested format and can modify them", .shows("closures"))
  func closures() async throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.addSpeaker(1, from: .file(try voice()))
    let counts = Guarded<[Int: Int]>([:])
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, interval: .milliseconds(20))
    try pipeline.observe(.beforeMixing, as: params) { frame, origin in
      let (count, rate, uid) = (frame.samplesPerChannel, frame.sampleRate, origin.uid)
      counts.withLock { if rate == 16_000, uid == 1 { $0[count, default: 0] += 1 } }
    }
    try pipeline.modify(.record) { frame, origin in frame.mute() }
    let loudest = Guarded<Int16>(0)
    try pipeline.observe(.mixed) { frame, origin in
      // The first muted frame fades out.
      guard frame.samplePosition >= 960 else { return }
      for index in 0..<frame.samples.count {
        let sample = frame.samples[index]
        loudest.withLock { $0 = max($0, sample) }
      }
    }
    try await pipeline.run()
    // 1 s in calls of 20 ms, and at most two more that drain the conversion's delay.
    #expect(counts.withLock { $0.keys.sorted() } == [320])
    #expect((50...52).contains(counts.withLock { $0[320] ?? 0 }))
    #expect(loudest.withLock { $0 } == 0)
  }

  @Test("a run reports its progress up to the end", .shows("awaited runs"))
  func progress() async throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.addSpeaker(1, from: .file(try voice(count: 48_000 * 5)))
    let reports = Guarded<[PipelineProgress]>([])
    try await pipeline.run { progress in reports.withLock { $0.append(progress) } }
    let positions = reports.withLock { $0.map(\.position) }
    #expect(positions == ((0...5) + [5]).map { .seconds($0) })
    #expect(reports.withLock { $0.last?.end } == .seconds(5))
  }

  @Test("the output of a run in steps is complete when the steps have ended")
  func steps() throws {
    let path = files.path("out.wav")
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.addSpeaker(1, from: .file(try voice()))
    try pipeline.addSink(.file(path))
    try pipeline.startStepping()
    var tick = 0
    while pipeline.waitUntilReady() {
      pipeline.step(atNanoseconds: tick * 10_000_000)
      tick += 1
    }
    pipeline.finishStepping()
    #expect(try files.read(path)[0].count == 48_000)
  }

  @Test(
    "a delay and a buffer that are not possible are errors",
    arguments: [Duration.seconds(-1), .seconds(Int64.max), .seconds(1_000_000_000)])
  func impossible(duration: Duration) throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let (path, format) = (try voice(), try AudioFormat(sampleRate: 48_000, channelCount: 1))
    #expect(throws: EngineError.self) { try pipeline.addSpeaker(1, from: .file(path, after: duration)) }
    #expect(throws: EngineError.self) { try pipeline.addSpeaker(1, from: .push(format, buffer: duration)) }
  }

  @Test("a cancelled run leaves its sound beside the output file", .shows("awaited runs"))
  func cancellation() async throws {
    let path = try voice("out.wav", count: 100)
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    // Without an end: nothing says that no more will be pushed.
    let source = try pipeline.addSpeaker(
      1, from: .push(try AudioFormat(sampleRate: 48_000, channelCount: 1), buffer: .seconds(2)))
    _ = source.push([Float](repeating: 0.5, count: 48_000).span)
    let sink = try pipeline.addSink(.file(path, overwrite: true))
    let task = Task { try await pipeline.run() }
    while pipeline.tickCount < 100 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(sink.samplesPerChannelWritten > 40_000)
    #expect(try files.read(path)[0].count == 100)
    #expect(try files.read(files.path("out.wav.part"))[0].count == sink.samplesPerChannelWritten)
  }

  @Test("nothing can be added to a pipeline that has finished")
  func finished() async throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try await pipeline.run()
    let path = try voice()
    for edit: () throws -> Void in [
      { try pipeline.observe(.mixed) { frame, origin in } },
      { try pipeline.modify(.mixed) { frame, origin in } },
      { _ = try pipeline.frames(at: .mixed) },
      { try pipeline.addSink(.pull(try AudioFormat(sampleRate: 48_000, channelCount: 1))) },
      { try pipeline.addSpeaker(1, from: .file(path)) },
      { try pipeline.setLocalSource(.file(path)) },
    ] {
      let error = #expect(throws: EngineError.self) { try edit() }
      #expect(error?.code == .wrongState)
    }
  }

  @Test("a truncated input and a failed output are warnings of a stepped run", .shows("events"))
  func warnings() async throws {
    let path = try voice()
    truncate(path, 50_000)
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.addSpeaker(1, from: .file(path))
    try pipeline.addSink(.file("/dev/full", container: .wav, overwrite: true))
    let warnings = Guarded<[PipelineWarning]>([])
    pipeline.onEvent { event in
      if case .warning(let warning) = event.kind { warnings.withLock { $0.append(warning) } }
    }
    try pipeline.startStepping()
    while pipeline.waitUntilReady() { pipeline.step(atNanoseconds: pipeline.tickCount * 10_000_000) }
    pipeline.finishStepping()
    #expect(warnings.withLock { $0.map(\.code) } == [.length, .outputFailed])
    #expect(warnings.withLock { $0.first?.message.contains("user 1") } == true)
  }

  @Test("an open file is played by one source")
  func reader() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let description = FileSourceDescription.file(try AudioFileReader.open(path: try voice()))
    try pipeline.addSpeaker(1, from: description)
    #expect(throws: EngineError.self) { try pipeline.addSpeaker(2, from: description) }
  }

  @Test("the SDK's integers and the controls' types set the same")
  func controls() throws {
    let pipeline = try AudioPipeline(mode: .offline)
    try pipeline.setEffectsVolume(40)
    #expect(pipeline.effects.volume.percent == 40)
    try pipeline.effects.setVolume(try Volume(70))
    #expect(pipeline.effectsVolume == 70)
    #expect(throws: EngineError.self) { try pipeline.effects.setVolume(try Volume(101)) }
    #expect(throws: EngineError.self) { try pipeline.music.pause() }
    #expect(throws: EngineError.self) { try pipeline.local.setMuted(true) }
    #expect(throws: EngineError.self) { try pipeline.users[9].setVolume(.unchanged) }
    #expect(throws: EngineError.self) { try pipeline.music.start("x.wav", repetition: .times(0)) }
  }

  @Test("an interval makes whole samples of all channels")
  func intervals() throws {
    let params = try AudioParams(sampleRate: 44_100, channelCount: 2, interval: .milliseconds(25))
    // 1102.5 samples are rounded.
    #expect(params.samplesPerCall == 2_206 || params.samplesPerCall == 2_204)
    #expect(throws: AudioParamsError.self) {
      try AudioParams(sampleRate: 48_000, channelCount: 1, interval: .milliseconds(9))
    }
    #expect(throws: AudioParamsError.self) {
      try AudioParams(sampleRate: 48_000, channelCount: 1, interval: .seconds(1_000_000_000_000))
    }
  }
}
