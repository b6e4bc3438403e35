import AudioFiles
import AudioGraph
import FileTestSupport
import Glibc
import TestSupport
import Testing

@Suite("Sounds in memory", .timeLimit(.minutes(10)))
struct AudioSamplesTests {
  private let files = TestFiles()

  /// Two channels of seeded noise at 44.1 kHz; longer than two blocks of reading.
  private func noise(count: Int = 40_000) throws -> AudioSamples {
    AudioSamples(
      format: try AudioFormat(sampleRate: 44_100, channelCount: 2),
      planes: [seededNoise(count: count, seed: 1), seededNoise(count: count, seed: 2)])
  }

  @Test("planes and interleaved samples are the same sound", .shows("sounds in memory"))
  func shapes() throws {
    let format = try AudioFormat(sampleRate: 8_000, channelCount: 3)
    let sound = AudioSamples(format: format, interleaved: [1, 2, 3, 4, 5, 6])
    #expect(sound.planes == [[1, 4], [2, 5], [3, 6]] && sound.samplesPerChannel == 2)
    #expect(sound.interleaved == [1, 2, 3, 4, 5, 6] && sound.durationSeconds == 0.000_25)
    #expect(AudioSamples(format: format, planes: sound.planes) == sound)
    #expect(AudioSamples(format: format, interleaved: []).planes == [[], [], []])
  }

  @Test(
    "sox reads a written file, and a file written by sox is read", .shows("sounds in memory"),
    .enabled(if: isInstalled("sox"), "sox is not installed"))
  func sox() throws {
    let sound = try noise()
    let path = files.path("ours.wav")
    #expect(try AudioFileOutput.write(sound, to: path) == 0)
    let bytes = try #require(run("sox", [path, "-t", "raw", "-e", "floating-point", "-b", "32", "-"]))
    let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(samples == sound.interleaved)
    let theirs = files.path("theirs.flac")
    _ = try #require(run("sox", [path, theirs]))
    #expect(try AudioFileReader.open(path: theirs).readAll() == sound)
  }

  @Test("reading begins at the position, and a second call has nothing left", .shows("sounds in memory"))
  func rest() throws {
    let sound = try noise()
    let path = files.path("in.wav")
    try AudioFileOutput.write(sound, to: path, sampleFormat: .float32)
    let reader = try AudioFileReader.open(path: path)
    try reader.seek(to: 39_000)
    #expect(try reader.readAll().planes == sound.planes.map { Array($0[39_000...]) })
    #expect(try reader.readAll().samplesPerChannel == 0)
  }

  @Test("a sound beyond the limit is refused, from files and from pipes", .shows("sounds in memory"))
  func limit() throws {
    let path = files.path("in.wav")
    try AudioFileOutput.write(try noise(count: 1_000), to: path)
    let reader = try AudioFileReader.open(path: path)
    let error = try #require(throws: AudioFileError.self) { try reader.readAll(limit: 1_999) }
    #expect(
      error.description
        == "\(path): the sound has more than the 1999 samples that may be read into memory; read it in blocks, or raise "
        + "the limit")
    #expect(reader.position == 0)
    #expect(try reader.readAll(limit: 2_000).samplesPerChannel == 1_000)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let bytes = [UInt8](repeating: 0, count: 4_000)
    try #require(write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    let raw = try RawFormat(parsing: "s16:8000:1")
    #expect(throws: AudioFileError(.tooLong(limit: 1_999), path: "standard input")) {
      try AudioFileReader.open(descriptor: ends[0], raw: raw).readAll(limit: 1_999)
    }
  }

  @Test("another format than the file's is refused, and clipping is counted", .shows("sounds in memory"))
  func formats() throws {
    let mono = AudioSamples(format: try AudioFormat(sampleRate: 44_100, channelCount: 1), planes: [[0, 1.5, -2]])
    let writer = try AudioFileOutput.create(
      path: files.path("out.wav"), format: try noise().format, options: OutputOptions(sampleFormat: .int16))
    let error = try #require(throws: AudioFileError.self) { try writer.write(mono) }
    #expect(error.description.contains("44100 Hz, 1 channel, and the file 44100 Hz, 2 channels"))
    writer.abandon()
    #expect(try AudioFileOutput.write(mono, to: files.path("mono.wav")) == 2)
  }
}
