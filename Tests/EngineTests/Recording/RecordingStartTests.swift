import AudioFiles
import AudioGraph
import Engine
import FileTestSupport
import GraphTestSupport
import TestSupport
import Testing

/// The events that tell the first sample of a recording.
@Suite(.timeLimit(.minutes(10))) struct RecordingStartTests {
  private let files = TestFiles()
  /// 2000-02-29T12:34:56Z.
  private let noon = UTCTime(nanosecondsSince1970: 951_827_696_000_000_000)

  private func starts(of pipeline: AudioPipeline) -> Guarded<[RecordingStart]> {
    let starts = Guarded<[RecordingStart]>([])
    pipeline.onEvent { event in
      if case .recordingStarted(let start) = event.kind { starts.withLock { $0.append(start) } }
    }
    return starts
  }

  @Test("two pipelines report the distance of their recordings in time", .shows("R1"))
  func distance() throws {
    var times: [UTCTime] = []
    for (index, ticks) in [20, 27].enumerated() {
      let pipeline = try AudioPipeline(channelCount: 1)
      try pipeline.addRemoteUser(1, from: try PlaneSource([seededNoise(count: 96_000, seed: 1)]))
      let starts = starts(of: pipeline)
      let clock = GatedClock(utcOfOrigin: noon)
      try pipeline.start(clock: clock)
      clock.open(untilNanoseconds: (ticks - 1) * 10_000_000)
      #expect(eventually { pipeline.tickCount == ticks })
      let path = files.path("\(index).wav")
      try pipeline.recorder.start(path)
      clock.open(untilNanoseconds: (ticks + 10) * 10_000_000)
      #expect(eventually { starts.withLock { $0.count } == 1 })
      try pipeline.recorder.stop()
      clock.open(untilNanoseconds: .max)
      pipeline.stop()
      let start = try #require(starts.withLock { $0.first })
      #expect(start.path == path && start.samplePosition == ticks * 480)
      #expect(starts.withLock { $0.count } == 1)
      let time = try #require(start.time)
      #expect(String(decoding: files.bytes(path).prefix(800), as: UTF8.self).contains("first sample at \(time), "))
      times.append(time)
    }
    #expect(times == [20, 27].map { noon.advanced(byNanoseconds: $0 * 10_000_000) })
  }

  @Test("a recording that begins before the run has the time of the first tick", .shows("R1"))
  func beforeRun() throws {
    let pipeline = try AudioPipeline(channelCount: 1)
    for uid in 1...2 {
      try pipeline.addRemoteUser(UInt32(uid), from: try PlaneSource([[Float](repeating: 0.1, count: 48_000)]))
    }
    let starts = starts(of: pipeline)
    try pipeline.recorder.start("\(files.folder)/u.wav", position: .eachUser)
    let clock = GatedClock(utcOfOrigin: noon)
    try pipeline.start(clock: clock)
    clock.open(untilNanoseconds: 200_000_000)
    #expect(eventually { starts.withLock { $0.count } == 2 })
    clock.open(untilNanoseconds: .max)
    pipeline.stop()
    let expected = (1...2).map {
      RecordingStart(path: files.path("u.\($0).wav"), samplePosition: 0, sampleRate: 48_000, time: noon)
    }
    #expect(starts.withLock { $0 } == expected)
  }

  @Test("an offline recording has a position and no time", .shows("R1"))
  func offline() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.addRemoteUser(1, from: try PlaneSource([seededNoise(count: 48_000, seed: 1)]))
    let starts = starts(of: pipeline)
    let path = files.path("offline.wav")
    try pipeline.recorder.start(path)
    try pipeline.runToEnd()
    #expect(starts.withLock { $0 } == [RecordingStart(path: path, samplePosition: 0, sampleRate: 48_000, time: nil)])
    #expect(try AudioFileReader.open(path: path).droppedChunks.isEmpty)
  }
}
