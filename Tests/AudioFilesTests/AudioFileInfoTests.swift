import AudioFiles
import AudioGraph
import FileTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AudioFileInfoTests {
  @Test("a file's path, format and duration are known before playback", .shows("M6"))
  func info() throws {
    let files = TestFiles()
    let path = try files.write("a.wav", [seededNoise(count: 22_051, seed: 1)], sampleRate: 44_100)
    let info = try AudioFileInfo(path: path)
    #expect(info.path == path && info.format.sampleRate == 44_100 && info.samplesPerChannel == 22_051)
    #expect(info.durationMilliseconds == 500)
    #expect(throws: AudioFileError(.open(2), path: "/nowhere.wav")) { _ = try AudioFileInfo(path: "/nowhere.wav") }
  }
}
