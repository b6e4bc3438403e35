import AudioFiles
import AudioGraph
import Engine
import FileTestSupport
import GraphTestSupport
import Platform
import TestSupport
import Testing

/// Files as sources of live pipelines, which never wait for them.
@Suite(.timeLimit(.minutes(10))) struct LiveFileTests {
  @Test("a live pipeline's file is read ahead before its ring is empty", .shows("described sources and sinks"))
  func readAhead() throws {
    let (files, bell, clock) = (TestFiles(), Doorbell(), GatedClock())
    let path = try files.write("voice.wav", [[Float](repeating: 0.5, count: 48_000)])
    let pipeline = try AudioPipeline(channelCount: 1)
    let source = try FileSource(
      AudioFileReader.open(path: path), sampleRate: 48_000, uid: 1, capacity: 8, ready: bell)
    try pipeline.addSpeaker(1, from: source)
    try #require(eventually { source.readyTicks > 0 })
    try pipeline.start(clock: clock)
    let start = SystemClock().nowNanoseconds
    for round in 1...10 {
      clock.open(untilNanoseconds: (round * 8 - 1) * 10_000_000)
      try #require(eventually { pipeline.tickCount == round * 8 })
      // The ring is empty. The reader fills it without a ring of its bell.
      try #require(eventually { source.readyTicks > 0 })
    }
    // Ten waits of 40 ms, and time for a busy machine.
    #expect(SystemClock().nowNanoseconds - start < 5_000_000_000)
    clock.open(untilNanoseconds: .max)
    pipeline.stop()
  }
}
