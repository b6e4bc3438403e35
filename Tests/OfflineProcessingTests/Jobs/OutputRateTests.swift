import AudioFiles
import AudioGraph
import FileTestSupport
import Glibc
import OfflineProcessing
import Testing

/// The rate of an output whose kind of file has few.
@Suite(.timeLimit(.minutes(10))) struct OutputRateTests {
  private let files = TestFiles()

  @Test(
    "an impossible output rate becomes the next above or the highest",
    arguments: [
      ("opus", 44_100, 48_000), ("opus", 16_000, 16_000), ("opus", 11_025, 12_000), ("mp3", 96_000, 48_000),
      ("flac", 44_100, 44_100), ("wav", 96_000, 96_000),
    ])
  func rate(kind: String, input: Int, output: Int) throws {
    let tone = (0..<input).map { Float(0.5 * sin(2 * Double.pi * 440 * Double($0) / Double(input))) }
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", [tone], sampleRate: input))
    job.output = .path(files.path("out.\(kind)"), container: nil)
    let result = try job.prepare().run()
    #expect(result.outputFormat.sampleRate == output)
    let reader = try AudioFileReader.open(path: files.path("out.\(kind)"))
    let heard = try files.read(files.path("out.\(kind)"))[0]
    #expect(abs(Double(heard.count) / Double(reader.format.sampleRate) - 1) < 0.06)
    // As many periods of the tone.
    let crossings = zip(heard, heard.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    #expect((430...450).contains(crossings), "\(crossings)")
  }

  @Test("a requested rate that the output cannot have is refused")
  func refused() throws {
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", [[Float](repeating: 0, count: 4_410)], sampleRate: 44_100))
    job.output = .path(files.path("out.opus"), container: nil)
    job.sampleRate = 44_100
    #expect(throws: AudioFileError.self) { try job.prepare().run() }
  }
}
