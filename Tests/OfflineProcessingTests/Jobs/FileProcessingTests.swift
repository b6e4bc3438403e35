import AudioFiles
import AudioGraph
import Effects
import Engine
import FileTestSupport
import FrameObservers
import OfflineProcessing
import OpusCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FileProcessingTests {
  let files = TestFiles()

  @Test(
    "a file passes MIXED unchanged, and every position gets all samples", .shows("F1", "F4"),
    arguments: [8_000, 11_025, 22_050, 44_100, 48_000, 192_000], [1, 2])
  func identity(sampleRate: Int, channelCount: Int) throws {
    let count = sampleRate / 5 + 13
    let planes = (0..<channelCount).map { seededNoise(count: count, seed: UInt64($0 + 1), amplitude: 1) }
    let checks = Checksums()
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", planes, sampleRate: sampleRate))
    job.output = .path(files.path("out.wav"), container: nil)
    job.observers = [checks.request(end: count)]
    let result = try job.prepare().run()
    #expect(try files.read(files.path("out.wav")) == planes)
    #expect(result.outputSamplesPerChannel == count)
    #expect(result.ledger.imbalance() == 0 && result.ledger.dropped == 0)
    let expected = Checksums.sum(planes)
    #expect(checks.sums == [.record: expected, .beforeMixing: expected, .playback: expected, .mixed: expected])
    #expect(result.positions.count == 4 && result.positions.allSatisfy { $0.samplesPerChannel == count })
  }

  @Test(
    "unchanged 16-bit samples are not dithered", .shows("process: dither"),
    arguments: ["writer", "music", "speaker"])
  func untouched(by who: String) throws {
    let noise = seededNoise(count: 30_011, seed: 1, amplitude: 0.4)
    let silence = try files.write("silence.wav", [[Float](repeating: 0, count: 9_000)])
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", [noise]))
    job.output = .path(files.path("out.wav"), container: nil)
    switch who {
    case "writer":
      let params = try AudioParams(sampleRate: 48_000, channelCount: 1, access: .readWrite, samplesPerCall: 960)
      job.observers = [.readWrite(at: [.record, .mixed], params: [.record: params]) { _, _ in }]
    case "music": job.music = .init(path: silence, volume: try Volume(50))
    default: job.speakers = [.init(path: silence)]
    }
    _ = try job.prepare().run()
    #expect(try files.read(files.path("out.wav")) == [noise])
  }

  @Test(
    "every pace and every size of the rings gives the same bytes", .shows("process: determinism"),
    arguments: [1, 2, 3, 10, 64, 500])
  func determinism(capacity: Int) throws {
    let planes = [seededNoise(count: 30_011, seed: 3), seededNoise(count: 30_011, seed: 4)]
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", planes, sampleRate: 44_100))
    job.music = .init(path: try files.write("music.wav", [seededNoise(count: 20_000, seed: 5)]), volume: try Volume(40))
    job.gain = Decibels(-3)
    job.panning = try Panning(-0.3)
    job.overwrite = true
    func bytes(_ name: String, pace: Pace, ringCapacity: Int) throws -> [UInt8] {
      job.output = .path(files.path(name), container: nil)
      job.pace = pace
      job.ringCapacity = ringCapacity
      _ = try job.prepare().run()
      return files.bytes(files.path(name))
    }
    let free = try bytes("a.wav", pace: .free, ringCapacity: 64)
    #expect(free.count > 4 * 32_000)
    #expect(try bytes("b.wav", pace: .free, ringCapacity: capacity) == free)
    #expect(try bytes("c.wav", pace: .clock(VirtualClock()), ringCapacity: capacity) == free)
  }

  @Test("two speakers, one of them late, panned and quieter, add up exactly")
  func twoSpeakers() throws {
    let first = seededNoise(count: 24_000, seed: 1, amplitude: 0.2)
    let second = seededNoise(count: 24_000, seed: 2, amplitude: 0.2)
    var job = FileProcessing()
    job.input = .path(try files.write("1.wav", [first]))
    job.speakers = [
      .init(
        path: try files.write("2.wav", [second]), gain: Decibels(-6), panning: try Panning(0.5), startSeconds: 0.1)
    ]
    job.output = .path(files.path("out.wav"), container: nil)
    job.sampleFormat = .float32
    _ = try job.prepare().run()
    let mixed = try files.read(files.path("out.wav"))
    #expect(mixed.count == 2 && mixed[0].count == 28_800)
    let level = 0.501187233627272  // 10^(-6 / 20)
    let angle = 1.5 * Double.pi / 4
    let gains = [
      Double(2).squareRoot() * cosine(angle) * level, Double(2).squareRoot() * cosine(Double.pi / 2 - angle) * level,
    ]
    for channel in 0..<2 {
      var worst = 0.0
      for index in 0..<28_800 {
        let a = index < 24_000 ? Double(first[index]) : 0
        let b = index >= 4_800 ? Double(second[index - 4_800]) : 0
        worst = max(worst, abs(Double(mixed[channel][index]) - a - b * gains[channel]))
      }
      #expect(worst < 1 / 65_536)
    }
  }

  @Test(
    "with a codec the count is kept and the alignment is within a sample", .shows("process: codec"),
    arguments: [10, 20], [16_000, 48_000])
  func codec(packet: Int, sampleRate: Int) throws {
    // Band-limited noise: what Opus keeps well at this rate.
    let noise = seededNoise(count: sampleRate, seed: 9, amplitude: 0.9)
    let smooth = noise.indices.map { index in
      noise[max(0, index - 7)...index].reduce(0, +) / 8
    }
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", [smooth], sampleRate: sampleRate))
    job.output = .path(files.path("out.wav"), container: nil)
    job.codec = OpusOptions(bitrate: 128_000, packetDuration: packet == 10 ? .milliseconds10 : .milliseconds20)
    let result = try job.prepare().run()
    let out = try files.read(files.path("out.wav"))[0]
    #expect(out.count == smooth.count && result.outputFormat.sampleRate == sampleRate)
    let correlations = (-5...5).map { lag in
      (1_000..<(sampleRate - 1_000)).reduce(0.0) { $0 + Double(smooth[$1]) * Double(out[$1 + lag]) }
    }
    let best = correlations.indices.max { correlations[$0] < correlations[$1] }! - 5
    #expect(abs(best) <= 1)
  }

  @Test(
    "a codec keeps the sample count at every rate and length",
    .shows("process: codec"),
    arguments: [8_000, 11_025, 22_050, 32_000, 44_100, 88_200, 96_000, 192_000])
  func codecCounts(sampleRate: Int) throws {
    for extra in 0..<7 {
      let count = sampleRate / 10 + extra
      var job = FileProcessing()
      let path = try files.write(
        "in\(extra).wav", [(0..<count).map { 0.5 * sine(440.0 * Double($0) / Double(sampleRate)) }],
        sampleRate: sampleRate)
      job.input = .path(path)
      job.output = .path(files.path("out\(extra).wav"), container: nil)
      job.codec = OpusOptions()
      _ = try job.prepare().run()
      #expect(try files.read(files.path("out\(extra).wav"))[0].count == count)
      // Later by a third of a second, which is no whole number of samples at every rate.
      job.input = .path(try files.write("short.wav", [[0.5]], sampleRate: sampleRate))
      job.speakers = [.init(path: path, startSeconds: 1.0 / 3)]
      job.overwrite = true
      _ = try job.prepare().run()
      let start = 16_000
      #expect(
        try files.read(files.path("out\(extra).wav"))[0].count == start * sampleRate / 48_000
          + ((start * sampleRate) % 48_000 + count * 48_000) / 48_000)
    }
  }

  @Test("a file at another rate is converted once, to the exact count", .shows("process: rate"))
  func rateConversion() throws {
    let tone = (0..<16_000).map { sine(440.0 * Double($0) / 16_000) * 0.5 }
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", [tone], sampleRate: 16_000, as: .float32))
    job.sampleRate = 48_000
    job.output = .path(files.path("out.wav"), container: nil)
    let result = try job.prepare().run()
    let out = try files.read(files.path("out.wav"))[0]
    #expect(out.count == 48_000 && result.outputFormat.sampleRate == 48_000)
    let worst = (2_000..<46_000).map { abs(Double(out[$0]) - 0.5 * sine64(440.0 * Double($0) / 48_000)) }.max()!
    #expect(worst < 1e-4)
  }

  @Test("an asynchronous observer that is slow loses nothing offline")
  func losslessObserver() throws {
    let counter = Guarded(0)
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", [seededNoise(count: 48_000, seed: 1)]))
    job.observers = [
      .readOnly(at: .mixed, isAsynchronous: true, capacity: 2) { frame, _ in
        counter.withLock { $0 += frame.samplesPerChannel }
      }
    ]
    let result = try job.prepare().run()
    #expect(counter.withLock { $0 } == result.edges.first { $0.name == "graph" }?.ledger.output)
    #expect(result.registrations[0].droppedFrameCount == 0)
  }

  @Test("a missing input is an error that names the file")
  func missingInput() {
    var job = FileProcessing()
    job.input = .path("/nowhere/at/all.wav")
    #expect(throws: AudioFileError.self) { _ = try job.prepare() }
  }
}
