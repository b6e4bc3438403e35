import Engine
import FrameObservers
import Testing

@Suite("What a job measures")
struct MeasuredProcessingTests {
  private func job() throws -> (FileProcessing, TestFiles) {
    let files = TestFiles()
    var job = FileProcessing()
    job.input = .path(try files.write("a.wav", [seededNoise(count: 70_001, seed: 1, amplitude: 0.5)]))
    job.speakers = [.init(path: try files.write("b.wav", [seededNoise(count: 40_000, seed: 2, amplitude: 0.1)]))]
    return (job, files)
  }

  @Test("nothing is measured unless it is asked for, and each kind by itself")
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
    "loudness has a row each interval, 200 ms without one, and the last row ends with the sound", arguments: [nil, 50])
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
}
