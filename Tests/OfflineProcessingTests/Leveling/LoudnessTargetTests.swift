import AudioFiles
import AudioGraph
import Effects
import Engine
import FileTestSupport
import FrameObservers
import Glibc
import Metering
import OfflineProcessing
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct LoudnessTargetTests {
  private let files = TestFiles()
  private static let rate = 48_000

  /// A tone of 1 kHz in both channels: by EBU Tech 3341 its loudness in LUFS is its level in dBFS.
  private static func tone(_ decibels: Double, seconds: Double = 2) -> [[Float]] {
    let count = Int(seconds * Double(rate))
    let tone = Signals.sine(count: count, cyclesPerSample: 1_000 / Double(rate), amplitude: pow(10, decibels / 20))
    return [tone, tone]
  }

  private func job(
    _ planes: [[Float]], _ target: LoudnessTarget, as format: SampleFormat = .float32
  ) throws -> FileProcessing {
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", planes, as: format))
    job.output = .path(files.path("out.wav"), container: nil)
    job.loudnessTarget = target
    job.overwrite = true
    return job
  }

  private func result(_ job: FileProcessing) throws -> LoudnessTargetResult {
    try #require(try job.prepare().run().loudnessTarget)
  }

  @Test(
    "a gain without limiting takes two passes, and multiplies every sample", .shows("process: loudness"),
    arguments: [-60.0, -40, -16, -5])
  func gain(target: Double) throws {
    let planes = Self.tone(-30)
    let job = try job(planes, LoudnessTarget(integrated: target))
    let result = try result(job)
    #expect(result.isReached && result.passes == (target < -59 ? 3 : 2) && result.limiterGain == Decibels(0))
    #expect(abs(result.gain.value - (target + 30)) < 0.05, "\(result.gain)")
    let factor = Decibels(result.gain.value).linearGain
    let output = try files.read(files.path("out.wav"))
    #expect(output == planes.map { $0.map { $0 * factor } })
  }

  @Test(
    "a sound at its target is unchanged and not dithered", .shows("process: loudness"),
    arguments: [LoudnessTarget(integrated: -20.05), LoudnessTarget(integrated: nil, truePeak: -19)])
  func unchanged(target: LoudnessTarget) throws {
    let job = try job(Self.tone(-20), target, as: .int16)
    let result = try result(job)
    #expect(result.isReached && result.passes == 2 && result.gain == Decibels(0))
    #expect(try files.read(files.path("out.wav")) == files.read(files.path("in.wav")))
  }

  @Test("a true peak alone only limits, to below it", .shows("process: loudness"), arguments: [-3.0, -19.5])
  func peakOnly(truePeak: Double) throws {
    let result = try result(try job(Self.tone(-1), LoudnessTarget(integrated: nil, truePeak: truePeak)))
    #expect(result.isReached && result.gain == Decibels(0) && result.limiterGain.value < truePeak + 1)
    let peak = try files.read(files.path("out.wav")).joined().reduce(0) { max($0, abs($1)) }
    let level = 20 * log10(Double(peak))
    #expect(level <= truePeak && level > truePeak - 1.5, "\(level)")
  }

  @Test("an unreachable tone ends near the ceiling with a warning", .shows("process: loudness"))
  func unreachable() throws {
    let done = try job(Self.tone(-20), LoudnessTarget(integrated: -5, truePeak: -15)).prepare().run()
    let result = try #require(done.loudnessTarget)
    // The limiter holds a tone 0.4 to 1.2 dB below the ceiling, which is its loudness.
    let (loudness, peak) = (try #require(result.integrated), try #require(result.truePeak))
    #expect(!result.isReached && (-16.3 ... -15.3).contains(loudness) && peak <= -15 && result.passes <= 5)
    guard case .warning(let warning) = done.events.last?.kind else { throw Missing() }
    #expect(warning.code == .loudness && warning.message.contains("-5 LUFS cannot be reached"), "\(warning)")
  }

  private struct Missing: Error {}

  @Test(
    "silence and 300 ms keep their level, with a warning", .shows("process: loudness"),
    arguments: [tone(-200), tone(-20, seconds: 0.3)])
  func noLoudness(planes: [[Float]]) throws {
    let done = try job(planes, LoudnessTarget(integrated: -16)).prepare().run()
    let result = try #require(done.loudnessTarget)
    #expect(result.integrated == nil && !result.isReached && result.gain == Decibels(0))
    #expect(try files.read(files.path("out.wav")) == files.read(files.path("in.wav")))
    #expect(done.events.map(\.kind.isWarning) == [true])
  }

  @Test("observers see the sound once, before the gain", .shows("process: loudness"))
  func observedOnce() throws {
    let calls = Atomic<Int>(0)
    let peak = Guarded<Float>(0)
    var job = try job(Self.tone(-20), LoudnessTarget(integrated: -5, truePeak: -6))
    job.observers = [
      .readOnly(at: .mixed) { frame, _ in
        calls.wrappingAdd(1, ordering: .relaxed)
        for index in 0..<frame.samplesPerChannel { peak.withLock { $0 = max($0, abs(frame.plane(0)[index])) } }
      }
    ]
    job.measuresLoudness = true
    let done = try job.prepare().run()
    let passes = try #require(done.loudnessTarget).passes
    // A frame more drains the delay of the limiters.
    #expect(passes > 2 && (200...201).contains(calls.load(ordering: .relaxed)))
    #expect(abs(peak.withLock { $0 } - 0.1) < 1e-4)
    let loudness = try #require(done.loudness?.integrated)
    #expect(abs(loudness + 20) < 0.05)
  }

  @Test("a cancelled job has its loudness up to there, and tries nothing", .shows("process: loudness"), .shows("^C"))
  func cancelled() throws {
    var job = try job(Self.tone(-30), LoudnessTarget(integrated: -20))
    job.overwrite = false
    let ticks = Atomic<Int>(0)
    job.isCancelled = { ticks.wrappingAdd(1, ordering: .relaxed).newValue > 100 }
    let done = try job.prepare().run()
    let result = try #require(done.loudnessTarget)
    #expect(done.isCancelled && result.passes == 2 && result.isReached)
    #expect((40_000..<96_000).contains(done.outputSamplesPerChannel))
    #expect(try files.read(files.path("out.wav"))[0].count == done.outputSamplesPerChannel)
  }

  @Test("a target out of range, or without an output, is refused", .shows("process: loudness"))
  func refused() throws {
    for target in [(-4.0, -1.0), (-71, -1), (-16, 0.5), (-16, -21)] {
      let job = try job(Self.tone(-20), LoudnessTarget(integrated: target.0, truePeak: target.1))
      #expect(throws: EngineError.self) { try job.prepare() }
    }
    var job = try job(Self.tone(-20), LoudnessTarget(integrated: -16))
    job.output = .none
    #expect(throws: EngineError.self) { try job.prepare() }
  }

  @Test("progress rises to the end of the sound, and never falls", .shows("process: loudness"))
  func progress() throws {
    var seen: [Double] = []
    let prepared = try job(Self.tone(-20), LoudnessTarget(integrated: -6, truePeak: -6)).prepare()
    _ = try prepared.run(progress: { seconds, total in
      #expect(total == 2)
      seen.append(seconds)
    })
    let last = try #require(seen.last)
    #expect(seen == seen.sorted() && abs(last - 2) < 1e-9)
  }

  /// Loudness and true peak of a file by ffmpeg's own meter.
  private func ffmpegLevels(_ path: String) throws -> (loudness: Double, peak: Double) {
    let text = try #require(
      run("bash", ["-c", "ffmpeg -nostats -i '\(path)' -af ebur128=peak=true -f null - 2>&1 | sed -n '/Summary/,$p'"]))
    func number(_ label: String) throws -> Double {
      let line = try #require(String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.contains(label) })
      return try #require(Double(line.split(separator: " ")[1]))
    }
    return (try number("I:"), try number("Peak:"))
  }

  @Test(
    "a decoded lossy file has its loudness and true peak by ffmpeg",
    .shows("process: loudness"), .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"),
    arguments: ["mp3", "opus", "ogg"], [-23.0, -14])
  func lossy(kind: String, target: Double) throws {
    // Noise in bursts: a codec changes both its level and its peaks.
    var noise = SeededGenerator(seed: 7)
    let planes = [
      (0..<4 * Self.rate).map { index -> Float in
        let loud: Float = index / 12_000 % 2 == 0 ? 0.3 : 0.05
        return loud * (Float(noise.next() >> 40) / Float(1 << 23) - 1)
      }
    ]
    var job = try job(planes, LoudnessTarget(integrated: target))
    job.output = .path(files.path("out.\(kind)"), container: nil)
    let result = try result(job)
    #expect(result.isReached && result.obstacle == nil, "\(result)")
    let (loudness, peak) = try ffmpegLevels(files.path("out.\(kind)"))
    #expect(abs(loudness - target) <= 0.15 && peak <= -0.9, "\(loudness) LUFS, \(peak) dBTP")
    let (own, ownPeak) = (try #require(result.integrated), try #require(result.truePeak))
    #expect(abs(own - loudness) < 0.1 && abs(ownPeak - peak) < 0.3, "\(own) LUFS, \(ownPeak) dBTP")
  }

  @Test("a DC offset does not cost headroom: it is removed first, and said", .shows("process: loudness"))
  func offset() throws {
    let tone = Self.tone(-40).map { $0.map { $0 + 0.5 } }
    let result = try result(try job(tone, LoudnessTarget(integrated: -16)))
    #expect(
      result.isReached && result.limiterGain == Decibels(0) && abs(result.removedOffset - 0.5) < 0.001, "\(result)")
    let output = try files.read(files.path("out.wav"))[0]
    #expect(abs(output.reduce(0, +) / Float(output.count)) < 1e-4)
  }

  @Test("clicks over quiet noise reach every loudness", .shows("process: loudness"), arguments: [-23.0, -16, -14])
  func clicks(target: Double) throws {
    var noise = SeededGenerator(seed: 3)
    let plane = (0..<5 * Self.rate).map { index -> Float in
      index % 24_000 == 0 ? 0.99 : 0.002 * (Float(noise.next() >> 40) / Float(1 << 23) - 1)
    }
    let result = try result(try job([plane], LoudnessTarget(integrated: target)))
    #expect(result.isReached && result.passes <= 8, "\(result)")
  }
}

extension PipelineEvent.Kind {
  fileprivate var isWarning: Bool {
    if case .warning = self { return true }
    return false
  }
}
