import AudioFiles
import AudioGraph
import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AudioFileReaderTests {
  private let folder = ScratchFolder()

  private func category(_ bytes: [UInt8]) -> AudioFileError.Category? {
    let path = folder.write(bytes, to: "bad.wav")
    return fileError { _ = try AudioFileReader.open(path: path) }?.category
  }

  @Test("bad headers are bad data, and the message names the file")
  func badHeaders() {
    #expect(category([]) == .badData)
    #expect(category(Array("hello, this is no sound at all".utf8)) == .badData)
    for format in [
      WAVBytes.format(channels: 0, align: 2), WAVBytes.format(channels: 1_000), WAVBytes.format(rate: 0),
      WAVBytes.format(tag: 0x14, bits: 4, align: 256, size: 50), WAVBytes.format(align: 7),
      WAVBytes.format(size: 12),
    ] {
      #expect(category(WAVBytes(chunks: [format], data: [1, 2, 3, 4]).bytes) == .badData)
    }
    #expect(category(WAVBytes(data: [1, 2]).bytes) == .badData)
    #expect(category(Array(WAVBytes(chunks: [WAVBytes.format()]).bytes.dropLast(8))) == .badData)
    #expect(category(WAVBytes(chunks: [WAVBytes.format()], dataSize: 1_000).bytes) == .badData)
    let error = fileError { _ = try AudioFileReader.open(path: folder.file("bad.wav")) }
    #expect(error?.description.hasPrefix(folder.file("bad.wav") + ": the header promises 1000 bytes") == true)
  }

  @Test("a missing file, a directory and a forbidden file are refused as input")
  func noInput() throws {
    #expect(
      fileError { _ = try AudioFileReader.open(path: folder.file("none.wav")) }?.reason == .open(ENOENT))
    let directory = fileError { _ = try AudioFileReader.open(path: folder.path) }
    #expect(directory?.reason == .isDirectory(isOutput: false) && directory?.category == .noInput)
    #expect(AudioFileError(.open(EACCES), path: "a").category == .noInput)
    guard geteuid() != 0 else { return }
    let path = folder.write([1], to: "secret.wav")
    chmod(path, 0)
    #expect(fileError { _ = try AudioFileReader.open(path: path) }?.reason == .open(EACCES))
  }

  @Test(
    "a header that lies about the length is survived with one warning", .shows("lying headers"),
    arguments: [0, 1_000, 0xFFFF_FF00])
  func lyingLength(size: Int) throws {
    let file = WAVBytes(
      riffSize: 36, chunks: [WAVBytes.format()], dataSize: UInt32(size), data: [1, 0, 2, 0],
      tail: [3])
    let reader = try AudioFileReader.open(path: folder.write(file.bytes, to: "a.wav"))
    #expect(reader.samplesPerChannel == 2)
    #expect(try Planes.read(reader).channels[0] == [1 / 32_768, 2 / 32_768])
    #expect(reader.warnings.count == 1)
  }

  @Test("chunks behind an empty data chunk are not sound, other bytes are")
  func emptyData() throws {
    let chunks = WAVBytes.chunk("LIST", [1, 2, 3, 4]) + WAVBytes.chunk("id3 ", [5])
    let empty = WAVBytes(chunks: [WAVBytes.format()], tail: chunks)
    let reader = try AudioFileReader.open(path: folder.write(empty.bytes, to: "a.wav"))
    #expect(reader.samplesPerChannel == 0 && reader.warnings.isEmpty)
    #expect(try Planes.read(reader).count == 0)
    let stopped = WAVBytes(chunks: [WAVBytes.format()], dataSize: 0, data: [0x10, 0, 0x20, 0, 0x30, 0])
    let other = try AudioFileReader.open(path: folder.write(stopped.bytes, to: "b.wav"))
    #expect(other.samplesPerChannel == 3 && other.warnings.count == 1)
  }

  @Test(
    "a pipe gives the same samples as the file, in whatever pieces it comes",
    arguments: [0, 1_000_000, Int(UInt32.max)])
  func pipes(declared: Int) throws {
    var generator = SeededGenerator(seed: 5)
    let data = (0..<60_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let list = WAVBytes.chunk("LIST", [UInt8](repeating: 9, count: 9_001))
    let file = WAVBytes(
      chunks: [list, WAVBytes.format(channels: 2, bits: 24)], dataSize: UInt32(declared), data: data)
    let expected = try Planes.read(path: folder.write(file.bytes, to: "a.wav"))
    let (reader, samples) = try throughPipe(file.bytes, piece: 1_237)
    #expect(samples == expected)
    #expect(reader.warnings.count == (declared == 1_000_000 ? 1 : 0))
    #expect(!reader.isSeekable)
  }

  @Test(
    "an empty data chunk before others is empty through a pipe too", .shows("lying headers"),
    arguments: [
      WAVBytes.chunk("LIST", [1, 2, 3, 4]), WAVBytes.chunk("id3 ", [5]), Array(WAVBytes.chunk("id3 ", [5]).dropLast()),
      WAVBytes.chunk("bext", [UInt8](repeating: 7, count: 602)) + WAVBytes.chunk("cue ", [1, 2]),
    ], [1, 1_000])
  func emptyPipedData(chunks: [UInt8], piece: Int) throws {
    let file = WAVBytes(chunks: [WAVBytes.format()], tail: chunks)
    let reader = try AudioFileReader.open(path: folder.write(file.bytes, to: "a.wav"))
    let (piped, samples) = try throughPipe(file.bytes, piece: piece)
    #expect(reader.samplesPerChannel == 0 && piped.samplesPerChannel == 0)
    #expect(try samples.count == 0 && Planes.read(reader).count == 0 && piped.warnings.isEmpty)
  }

  @Test(
    "a pipe's data size 0 is ignored unless a known chunk fits RIFF's size", .shows("lying headers"),
    arguments: [
      // What RIFF says: nothing of what follows, nothing at all, and more or less than the chunk.
      (36, "LIST", 4), (0, "LIST", 4), (UInt32.max, "LIST", 4), (44, "LIST", 4), (52, "LIST", 4),
      // A name that nobody has, and a chunk that is longer than the file.
      (48, "\u{01}\u{02}\u{01}\u{02}", 4), (48, "lost", 4), (48, "LIST", 5_000),
    ] as [(UInt32, String, UInt32)], [1, 1_000])
  func unknownPipedLength(line: (riff: UInt32, name: String, size: UInt32), piece: Int) throws {
    let bytes = WAVBytes.chunk(line.name, [1, 2, 3, 4], size: line.size)
    let file = WAVBytes(riffSize: line.riff, chunks: [WAVBytes.format()], dataSize: 0, data: bytes)
    let (reader, samples) = try throughPipe(file.bytes, piece: piece)
    let expected = stride(from: 0, to: bytes.count, by: 2).map { index in
      Float(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)) / 32_768
    }
    #expect(samples.channels == [expected] && reader.samplesPerChannel == nil)
  }

  @Test(
    "an incomplete sample at the end of a file or pipe is reported", arguments: [7, UInt32.max])
  func partOfASample(declared: UInt32) throws {
    let file = WAVBytes(
      chunks: [WAVBytes.format(channels: 2)], dataSize: declared, data: [0, 0x40, 0, 0xC0, 1, 2, 3])
    let bytes = Array(file.bytes.dropLast())  // The padding.
    let reader = try AudioFileReader.open(path: folder.write(bytes, to: "a.wav"))
    let (pipe, piped) = try throughPipe(bytes, piece: 5)
    let expected = Planes([[0.5], [-0.5]])
    #expect(try Planes.read(reader) == expected && piped == expected)
    for warnings in [reader.warnings, pipe.warnings] {
      #expect(warnings.count == 1 && warnings.first?.message.contains("3 bytes at the end") == true)
      #expect(warnings.first?.position == 1)
    }
  }

  @Test("a second data chunk is left out and reported with its size")
  func secondDataChunk() throws {
    let more = WAVBytes.chunk("LIST", [1]) + WAVBytes.chunk("data", [1, 2, 3, 4, 5, 6])
    let file = WAVBytes(chunks: [WAVBytes.format()], data: [0, 0x40], tail: more)
    let reader = try AudioFileReader.open(path: folder.write(file.bytes, to: "a.wav"))
    #expect(try Planes.read(reader).channels == [[0.5]])
    #expect(reader.warnings.map(\.code) == [.length] && reader.warnings[0].message.contains("of 6 bytes"))
    let empty = try AudioFileReader.open(
      path: folder.write(WAVBytes(chunks: [WAVBytes.format()], data: [], tail: more).bytes, to: "e.wav"))
    #expect(try Planes.read(empty).channels.allSatisfy(\.isEmpty) && empty.warnings.count == 1)
    let other = WAVBytes.chunk("LIST", Array("data".utf8))
    let whole = WAVBytes(chunks: [WAVBytes.format()], data: [0, 0x40], tail: other)
    #expect(try AudioFileReader.open(path: folder.write(whole.bytes, to: "b.wav")).warnings.isEmpty)
  }

  @Test(
    "bytes behind a too small data size are reported, a trailing tag is not",
    .shows("lying headers"), arguments: [2, 6])
  func smallDataSize(declared: UInt32) throws {
    let sound = [0, 0x40] + [UInt8](repeating: 0x81, count: 12)
    let small = WAVBytes(chunks: [WAVBytes.format()], dataSize: declared, data: sound)
    let reader = try AudioFileReader.open(path: folder.write(small.bytes, to: "a.wav"))
    #expect(try Planes.read(reader).count == Int(declared / 2))
    let behind = sound.count - Int(declared)
    #expect(reader.warnings.contains { $0.code == .length && $0.message.contains("\(behind) bytes behind the sound") })
    // A tag of MP3's behind all that RIFF counts.
    let whole = WAVBytes(chunks: [WAVBytes.format()], data: [0, 0x40]).bytes
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    #expect(try AudioFileReader.open(path: folder.write(whole + tag, to: "b.wav")).warnings.isEmpty)
  }

  @Test(
    "a chunk follows sound of an odd length with and without its padding", .shows("lying headers"),
    arguments: [[UInt8](), [0]])
  func padding(padding: [UInt8]) throws {
    let list = WAVBytes.chunk("LIST", [UInt8](repeating: 7, count: 20))
    let format = WAVBytes.format(bits: 8)
    let bytes = WAVBytes(chunks: [format], dataSize: 3, data: [1, 2, 3] + padding + list).bytes
    #expect(try AudioFileReader.open(path: folder.write(bytes, to: "a.wav")).warnings.isEmpty)
  }

  @Test("a pipe that promises sound and has none is bad data")
  func emptyPipe() {
    let file = WAVBytes(chunks: [WAVBytes.format()], dataSize: 100)
    #expect(fileError { _ = try throughPipe(file.bytes, piece: 100) }?.category == .badData)
  }

  @Test("a pipe of damaged FLAC is refused with the decoder's error")
  func foreignPipe() {
    let error = fileError { _ = try throughPipe(Array("fLaC and so on and on".utf8), piece: 100) }
    guard case .decoder = error?.reason else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(error?.category == .badData)
  }

  @Test("raw samples are read as their description says", .shows("process: inputs"))
  func raw() throws {
    let raw = try RawFormat(parsing: "s16le:44100:2")
    #expect(raw.description == "s16:44100:2")
    let path = folder.write([0, 0x40, 0, 0xC0, 0xFF, 0x7F, 0, 0x80, 9], to: "a.raw")
    let reader = try AudioFileReader.open(path: path, raw: raw)
    #expect(reader.samplesPerChannel == 2)
    #expect(try Planes.read(reader) == Planes([[0.5, 32_767 / 32_768], [-0.5, -1]]))
  }

  @Test(
    "a wrong description of raw samples is a usage error",
    arguments: ["", "s16", "s16:48000", "s17:48000:2", "s16:x:2", "s16:48000:0", "s16:1:1", "s16:48000:2:1"])
  func wrongRaw(text: String) {
    #expect(fileError { _ = try RawFormat(parsing: text) }?.category == .usage)
  }

  @Test("a descriptor of a regular file is read from its position on")
  func descriptorPosition() throws {
    let file = WAVBytes(chunks: [WAVBytes.format()], data: [0, 0x40, 0, 0xC0]).bytes
    let path = folder.write([1, 2, 3] + file, to: "a.bin")
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    lseek(descriptor, 3, SEEK_SET)
    let reader = try AudioFileReader.open(descriptor: descriptor)
    #expect(try Planes.read(reader).channels[0] == [0.5, -0.5])
    try reader.seek(to: 1)
    #expect(try Planes.read(reader).channels[0] == [-0.5])
  }

  /// Sends `bytes` through a pipe from another thread and reads them.
  private func throughPipe(_ bytes: [UInt8], piece: Int) throws -> (AudioFileReader, Planes) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (input, output) = (ends[0], ends[1])
    // Whichever side stops first: no signal ends the tests.
    signal(SIGPIPE, SIG_IGN)
    let feeder = Thread {
      var done = 0
      while done < bytes.count {
        let count = bytes.withUnsafeBytes {
          Glibc.write(output, $0.baseAddress! + done, min(piece, bytes.count - done))
        }
        if count <= 0 { break }
        done += count
      }
      close(output)
    }
    feeder.start()
    defer { close(input) }
    let reader = try AudioFileReader.open(descriptor: input)
    return (reader, try Planes.read(reader))
  }
}
