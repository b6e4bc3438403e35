import AudioFiles
import AudioGraph
import FileTestSupport
import Testing

/// The time of a file's first sample, as ffprobe reads it.
@Suite(.timeLimit(.minutes(10))) struct FirstSampleTests {
  private let files = TestFiles()
  /// 2000-02-29T12:34:56.5Z.
  private let first = FirstSample(
    time: UTCTime(nanosecondsSince1970: 951_827_696_500_000_000), position: 1_234, sampleRate: 16_000)

  private func write(_ name: String, sampleRate: Int = 48_000, count: Int = 4_800) throws -> String {
    let path = files.path(name)
    let writer = try AudioFileOutput.create(
      path: path, format: try AudioFormat(sampleRate: sampleRate, channelCount: 1),
      options: OutputOptions(sampleFormat: .int16))
    try writer.setFirstSample(first)
    let samples = [Float](repeating: 0.25, count: count)
    try writer.write(samples, stride: count, count: count)
    try writer.finish()
    #expect(try files.read(path)[0].count >= count)
    return path
  }

  private func probe(_ path: String, _ entry: String) throws -> String {
    let arguments = ["-v", "error", "-show_entries", entry, "-of", "default=nw=1:nk=1", path]
    let output = try #require(run("ffprobe", arguments), "ffprobe is missing")
    return String(decoding: output, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
  }

  @Test("a WAV file has the first sample's time in a bext chunk", arguments: [8_000, 44_100, 48_000])
  func wav(sampleRate: Int) throws {
    let path = try write("first.wav", sampleRate: sampleRate)
    #expect(try probe(path, "format_tags=date") == "2000-02-29")
    #expect(try probe(path, "format_tags=creation_time") == "12:34:56")
    #expect(try probe(path, "format_tags=time_reference") == "\(45_296 * sampleRate + sampleRate / 2)")
    #expect(
      try probe(path, "format_tags=comment")
        == "first sample at 2000-02-29T12:34:56.500000000Z, sample 1234 of the pipeline's time at 16000 Hz")
    #expect(try AudioFileReader.open(path: path).droppedChunks == ["bext"])
  }

  @Test("a compressed file has the first sample's time as its date", arguments: ["flac", "ogg", "opus"])
  func compressed(kind: String) throws {
    let path = try write("first.\(kind)", count: 48_000)
    let entry = kind == "flac" ? "format_tags=date" : "stream_tags=date"
    #expect(try probe(path, entry) == "2000-02-29T12:34:56.500000000Z")
    #expect(try AudioFileReader.open(path: path).tags[.comment]?.contains("sample 1234 of") == true)
  }

  @Test("a WAV file with a time becomes RF64 and stays whole")
  func rf64() throws {
    let path = files.path("long.wav")
    let writer = try WAVWriter(
      path: path, format: try AudioFormat(sampleRate: 48_000, channelCount: 1),
      options: OutputOptions(sampleFormat: .int16), sizeLimit: 100_000)
    try writer.setFirstSample(first)
    let samples = [Float](repeating: 0.25, count: 96_000)
    try writer.write(samples, stride: 96_000, count: 96_000)
    try writer.finish()
    #expect(files.bytes(path)[..<4].elementsEqual("RF64".utf8))
    #expect(try files.read(path) == [samples])
    #expect(try probe(path, "format_tags=time_reference") == "\(45_296 * 48_000 + 24_000)")
  }
}
