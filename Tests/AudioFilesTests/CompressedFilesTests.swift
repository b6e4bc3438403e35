import AudioFiles
import AudioGraph
import FileTestSupport
import Glibc
import TestSupport
import Testing

/// Compressed files as they come: through pipes, with headers that are wrong, in unusual containers.
@Suite(.timeLimit(.minutes(10)), .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct CompressedFilesTests {
  private let files = TestFiles()

  private func make(_ name: String, _ options: [String]) -> String {
    let path = files.path(name)
    let input = ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=frequency=440:duration=3:sample_rate=44100"]
    _ = run("ffmpeg", input + options + [path])
    return path
  }

  private func readAll(_ reader: AudioFileReader) throws -> [Float] {
    var samples: [Float] = []
    var block = [Float](repeating: 0, count: 8_192)
    while true {
      let count = try block.withUnsafeMutableBufferPointer {
        try reader.read(into: $0.baseAddress!, stride: 8_192, maximumCount: 8_192)
      }
      if count == 0 { return samples }
      samples += block[..<count]
    }
  }

  @Test(
    "a compressed file through a pipe has the samples of the file", .shows("input: compressed"),
    arguments: ["flac", "ogg", "opus", "mp3", "aiff"])
  func pipes(kind: String) throws {
    let path = make("tone.\(kind)", [])
    let pipe = try #require(popen("cat '\(path)'", "r"))
    defer { pclose(pipe) }
    let reader = try AudioFileReader.open(descriptor: fileno(pipe))
    #expect(try readAll(reader) == files.read(path)[0])
  }

  @Test("a pipe that has no sound file in it is named as such")
  func noSound() throws {
    let pipe = try #require(popen("head -c 100000 /dev/zero", "r"))
    defer { pclose(pipe) }
    #expect(throws: AudioFileError(.unknownFormat, path: "standard input")) {
      try AudioFileReader.open(descriptor: fileno(pipe))
    }
  }

  @Test("FLAC in Ogg is named as what it is", .shows("input: compressed"))
  func flacInOgg() throws {
    let path = make("tone.oga", ["-c:a", "flac", "-f", "ogg"])
    #expect(throws: AudioFileError(.codec("FLAC in Ogg"), path: path)) { try AudioFileReader.open(path: path) }
  }

  /// The number of samples in STREAMINFO: 36 bits that end at byte 26.
  @Test(
    "a FLAC file whose header promises too few samples warns of those that are left out", .shows("input: compressed"),
    arguments: [1, 66_150, 132_299, 132_300])
  func promise(count: Int) throws {
    let path = make("tone.flac", ["-c:a", "flac", "-frame_size", "1024"])
    var bytes = files.bytes(path)
    #expect(bytes[21] & 0x0F == 0 && bytes[22..<26].reduce(0) { $0 << 8 | Int($1) } == 132_300)
    for index in 0..<4 { bytes[22 + index] = UInt8(count >> (24 - 8 * index) & 255) }
    let short = files.path("short.flac")
    let file = try #require(fopen(short, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    let reader = try AudioFileReader.open(path: short)
    #expect(try readAll(reader).count == count)
    #expect(reader.warnings.map(\.code) == (count < 132_300 ? [.length] : []))
  }

  @Test("an MP3 file without a length, read to its end, is no reason for a warning")
  func whole() throws {
    let reader = try AudioFileReader.open(path: make("tone.mp3", ["-write_xing", "0"]))
    #expect(try readAll(reader).count >= 132_300 && reader.warnings.isEmpty)
  }

  @Test("a CAF file that does not say how long its sound is, as through a pipe, is read to its end")
  func unknownLength() throws {
    let path = make("tone.caf", ["-c:a", "pcm_s16le"])
    let whole = try files.read(path)
    var bytes = files.bytes(path)
    let data = try #require(bytes.indices.first { bytes[$0...].starts(with: "data".utf8) })
    bytes.replaceSubrange(data + 4..<data + 12, with: [UInt8](repeating: 0xFF, count: 8))
    let file = try #require(fopen(path, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    let reader = try AudioFileReader.open(path: path)
    #expect(reader.warnings.isEmpty && reader.samplesPerChannel == whole[0].count)
    #expect(try files.read(path) == whole)
  }
}
