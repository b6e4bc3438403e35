import AudioFiles
import AudioGraph
import Engine
import FileTestSupport
import Foundation
import OfflineProcessing
import OpusCodec
import Testing

@Suite("Levels over time", .timeLimit(.minutes(10)))
struct LevelTrackTests {
  @Test("a delay of more than a frame is left out of the levels", arguments: [false, true])
  func longDelay(hasCodec: Bool) throws {
    let files = TestFiles()
    // 0.4 s of a sine of -12 dBFS, then as much silence.
    let tone = (0..<38_400).map { index in
      index < 19_200 ? Float(0.25 * sin(2 * .pi * 1_000 * Double(index) / 48_000)) : 0
    }
    var job = FileProcessing()
    job.input = .path(try files.write("tone.wav", [tone]))
    job.levelInterval = 200
    if hasCodec { job.codec = OpusOptions(bitrate: 128_000) }
    let levels = try job.prepare().run().levels

    try #require(levels.count >= 4)
    let sine = 20 * log10(0.25 / 2.0.squareRoot())
    for level in levels[..<2] { #expect(abs(level.rmsDBFS - sine) < 0.5, "\(level)") }
    #expect(levels[3].rmsDBFS < sine - 40, "\(levels[3])")
  }
}
