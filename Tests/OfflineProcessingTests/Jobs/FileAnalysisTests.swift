import AudioFiles
import AudioGraph
import Engine
import FileTestSupport
import Foundation
import FrameObservers
import OfflineProcessing
import TestSupport
import Testing

@Suite("Analysis of a file", .timeLimit(.minutes(10)))
struct FileAnalysisTests {
  @Test(
    "levels are those of a plain loop over the file's samples", .shows("analyze"),
    arguments: [8_000, 22_050, 44_100, 48_000], [1, 2])
  func plainLoop(rate: Int, channels: Int) throws {
    let files = TestFiles()
    let count = rate * 63 / 100 + 5
    // Each 50 ms another level.
    let planes = (0..<channels).map { channel in
      seededNoise(count: count, seed: UInt64(channel + 1), amplitude: 0.9).enumerated().map { index, sample -> Float in
        let step = 1 + index / (rate / 20) % 4
        let scaled = sample * Float(step) / 4
        return (scaled * 32_768).rounded() / 32_768
      }
    }
    var analysis = FileAnalysis(.path(try files.write("in.wav", planes, sampleRate: rate)))
    analysis.interval = 50
    let result = try analysis.run()
    #expect(result.samplesPerChannel == count && result.format.sampleRate == rate && result.levels.count == 13)
    let schedule = FrameSchedule(sampleRate: rate)
    for (index, level) in result.levels.enumerated() {
      let range = schedule.position(ofFrame: 5 * index)..<min(count, schedule.position(ofFrame: 5 * index + 5))
      expect(level, planes, range)
      #expect(level.timeSeconds == Double(index) / 20)
    }
    expect(result.total, planes, 0..<count)
  }

  private func expect(_ level: LevelInterval, _ planes: [[Float]], _ range: Range<Int>) {
    var (squares, peak) = (0.0, Float(0))
    for plane in planes {
      for sample in plane[range] {
        squares += Double(sample) * Double(sample)
        peak = max(peak, abs(sample))
      }
    }
    let rms = 10 * log10(squares / Double(range.count * planes.count))
    #expect(abs(level.rmsDBFS - rms) < 1e-4)
    #expect(abs(level.peakDBFS - 20 * log10(Double(peak))) < 1e-4)
  }

  @Test("a wrong interval and a missing file are refused")
  func refused() throws {
    let files = TestFiles()
    var analysis = FileAnalysis(.path(try files.write("in.wav", [seededNoise(count: 480, seed: 1)])))
    for interval in [0, 5, 15, -10] {
      analysis.interval = interval
      #expect(throws: EngineError.self) { try analysis.run() }
    }
    #expect(throws: AudioFileError.self) { try FileAnalysis(.path(files.path("missing.wav"))).run() }
  }

  @Test("progress comes every 200 ms, and a cancelled analysis keeps its rows")
  func cancelled() throws {
    let files = TestFiles()
    var analysis = FileAnalysis(.path(try files.write("in.wav", [seededNoise(count: 48_000 * 3, seed: 1)])))
    var times: [Double] = []
    let whole = try analysis.run { seconds, total in
      times.append(seconds)
      #expect(total == 3)
    }
    #expect(!whole.isCancelled && whole.levels.count == 15)
    let wanted = (1...15).map { Double($0) / 5 }
    #expect(Array(times.prefix(15)) == wanted)
    let stop = Flag()
    analysis.isCancelled = { stop.isSet }
    let part = try analysis.run { seconds, _ in if seconds >= 1 { stop.set() } }
    // What had been read ahead by then is not counted.
    #expect(part.isCancelled && part.levels.count == 5 && part.samplesPerChannel == 48_000)
    #expect(part.levels.elementsEqual(whole.levels.prefix(5)))
  }

  @Test("an observer from set-up knows the end position at the last frame")
  func setUp() throws {
    let files = TestFiles()
    let count = 48_000 + 123
    var analysis = FileAnalysis(.path(try files.write("in.wav", [seededNoise(count: count, seed: 4)])))
    let seen = Guarded(0)
    analysis.setUp = { pipeline in
      let end = { @Sendable [weak pipeline] in pipeline?.endPosition }
      _ = try pipeline.observe(
        .readOnly(at: .beforeMixing, isAsynchronous: true) { frame, _ in
          let inside = min(frame.samplesPerChannel, max(0, (end() ?? .max / 2) - frame.samplePosition))
          seen.withLock { $0 += inside }
        })
    }
    let result = try analysis.run()
    #expect(result.samplesPerChannel == count && seen.withLock { $0 } == count)
  }

  @Test("observers of PLAYBACK and MIXED get the file and change no level")
  func listener() throws {
    let files = TestFiles()
    let samples = seededNoise(count: 48_000, seed: 6, amplitude: 0.4)
    var analysis = FileAnalysis(.path(try files.write("in.wav", [samples])))
    let unheard = try analysis.run()
    let heard = Guarded<[ObserverPosition: Double]>([:])
    analysis.observers = [
      .readOnly(at: [.playback, .mixed, .beforeMixing]) { frame, source in
        var power = 0.0
        let plane = frame.plane(0)
        for index in 0..<frame.samplesPerChannel { power += Double(plane[index]) * Double(plane[index]) }
        heard.withLock { [power] in $0[source.position, default: 0] += power }
      }
    ]
    #expect(try analysis.run().levels == unheard.levels)
    let powers = heard.withLock { $0 }
    let wanted = samples.reduce(0) { $0 + Double($1) * Double($1) }
    for position in [ObserverPosition.playback, .mixed, .beforeMixing] {
      #expect(abs(powers[position, default: 0] / wanted - 1) < 1e-3)
    }
  }

  @Test("an analysis without rows has the same total level")
  func withoutLevels() throws {
    let files = TestFiles()
    var analysis = FileAnalysis(.path(try files.write("in.wav", [seededNoise(count: 50_000, seed: 5)])))
    let whole = try analysis.run()
    analysis.keepsLevels = false
    let total = try analysis.run()
    #expect(whole.levels.count == 6 && total.levels.isEmpty && total.total == whole.total)
  }

  @Test("an empty file has no rows and is silent")
  func empty() throws {
    let files = TestFiles()
    let result = try FileAnalysis(.path(try files.write("in.wav", [[]]))).run()
    #expect(result.levels.isEmpty && result.total.volume == 0 && result.total.rmsDBFS == LevelInterval.silenceDBFS)
  }
}
