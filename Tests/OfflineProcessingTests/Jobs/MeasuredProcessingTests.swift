import Effects
import Engine
import FileTestSupport
import FrameObservers
import Metering
import OfflineProcessing
import OpusCodec
import TestSupport
import Testing

@Suite("measurements of a job", .timeLimit(.minutes(10)))
struct MeasuredProcessingTests {
  private func job() throws -> (FileProcessing, TestFiles) {
    let files = TestFiles()
    var job = FileProcessing()
    job.input = .path(try files.write("a.wav", [seededNoise(count: 70_001, seed: 1, amplitude: 0.5)]))
    job.speakers = [.init(path: try files.write("b.wav", [seededNoise(count: 40_000, seed: 2, amplitude: 0.1)]))]
    return (job, files)
  }

  @Test("each kind of measurement is made only if it is requested")
  func kinds() throws {
    var (job, files) = try job()
    let bare = try job.prepare().run()
    #expect(bare.levels.isEmpty && bare.loudness == nil && bare.events.isEmpty)
    job.levelInterval = 100
    #expect(try job.prepare().run().events.isEmpty)
    job.levelInterval = nil
    job.speakerInterval = 100
    let speakers = try job.prepare().run()
    #expect(speakers.levels.isEmpty && speakers.events.map(\.kind) == [.activeSpeaker(SpeakerID(uid: 1))])
    withExtendedLifetime(files) {}
  }

  @Test(
    "loudness has a row each interval, and the last row ends with the sound", arguments: [nil, 50])
  func loudness(interval: Int?) throws {
    var (job, files) = try job()
    job.levelInterval = interval
    job.measuresLoudness = true
    // A delay of more than a frame before the stream.
    job.codec = OpusOptions(bitrate: 128_000)
    let result = try job.prepare().run()
    let moments = try #require(result.loudness).moments
    let seconds = 70_001.0 / 48_000
    let step = Double(interval ?? 200) / 1_000
    #expect(moments.count == Int((seconds / step).rounded(.up)))
    for (index, moment) in moments.dropLast().enumerated() {
      #expect(abs(moment.timeSeconds - Double(index + 1) * step) < 1e-9)
    }
    #expect(moments.last?.timeSeconds == seconds)
    withExtendedLifetime(files) {}
  }

  @Test(
    "the limiter keeps true peaks below its ceiling at every rate",
    arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000], [true, false])
  func truePeak(rate: Int, isGaussian: Bool) throws {
    let files = TestFiles()
    var noise = seededNoise(count: 10 * rate, seed: UInt64(rate), amplitude: 0.999)
    if isGaussian {
      // The sum of four is near enough, and has rarer and higher peaks.
      let others = (1...3).map { seededNoise(count: 10 * rate, seed: UInt64(rate + $0), amplitude: 0.999) }
      for index in noise.indices { noise[index] = (noise[index] + others.reduce(0) { $0 + $1[index] }) / 4 }
    }
    var job = FileProcessing()
    job.input = .path(try files.write("a.wav", [noise], sampleRate: rate))
    job.sampleRate = rate
    job.recordVolume = try Volume(400)
    job.measuresLoudness = true
    for volume in [100.0, 400] {
      job.playbackVolume = try Volume(volume)
      let loudness = try #require(try job.prepare().run().loudness)
      let truePeak = try #require(loudness.truePeak)
      #expect(truePeak <= LimiterNode.defaultCeiling.value && truePeak > -3, "\(truePeak) dBTP")
    }
    withExtendedLifetime(files) {}
  }
}
