import AudioFiles
import AudioGraph
import FileTestSupport
import GraphTestSupport
import TestSupport
import Testing

@testable import Recordings

@Suite(.timeLimit(.minutes(10))) struct RecordingTrackTests {
  @Test("a file ends at its given sample, although later samples were rendered", .shows("R1"))
  func end() throws {
    let files = TestFiles()
    let graph = try Graph(sampleRate: 48_000)
    let voice = seededNoise(count: 48_000, seed: 1, amplitude: 0.2)
    let source = try graph.add(MemorySource([voice]), named: "voice")
    let track = try RecordingTrack(
      path: files.path("voice.wav"), channelCount: 1, sampleRate: 48_000,
      origin: RecordingOrigin(position: 0, sampleRate: 48_000) { _ in nil }, knownEnd: KnownEnd(),
      options: RecordingOptions(sampleFormat: .float32), onRelease: Doorbell())
    try track.add(to: graph)
    try track.connect(source, channelCount: 1, graph: graph)
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    for _ in 0..<10 {
      for _ in 0..<10 { runner.tick(timeNanoseconds: runner.tickCount * 10_000_000) }
      #expect(track.write(delivers: true))
    }
    // 190 ms behind the path.
    let end = 48_000 - 19 * 480 - 100
    track.stop(at: end)
    #expect(!track.write(delivers: true))
    #expect(try files.read(files.path("voice.wav")) == [Array(voice[..<end])])
  }
}
