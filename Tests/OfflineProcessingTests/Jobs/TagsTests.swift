import AudioFiles
import AudioGraph
import FileTestSupport
import Glibc
import OfflineProcessing
import TestSupport
import Testing

/// Tags of sound files; ffmpeg writes and reads them.
@Suite(.timeLimit(.minutes(10)), .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed")) struct TagsTests {
  private let files = TestFiles()
  private static let texts: [(AudioTags.Field, String)] = [
    (.title, "Ängste"), (.artist, "Two words"), (.album, "third"), (.date, "1999"), (.genre, "Jazz"),
  ]

  private func tone(_ name: String) -> String {
    let path = files.path(name)
    let words = Self.texts.flatMap { ["-metadata", "\($0.0.rawValue)=\($0.1)"] }
    let input = ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=frequency=440:duration=0.5:sample_rate=48000"]
    _ = run("ffmpeg", input + words + [path])
    return path
  }

  private func process(_ input: String, to name: String, keepsTags: Bool = true) throws -> ProcessingResult {
    var job = FileProcessing()
    job.input = .path(input)
    job.output = .path(files.path(name), container: nil)
    (job.overwrite, job.keepsTags) = (true, keepsTags)
    return try job.prepare().run()
  }

  /// The tags of the file, or of its stream, as ffprobe finds them.
  private func found(in name: String) -> [AudioTags.Field: String] {
    let words = ["-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "default=nw=1"]
    let text = run("ffprobe", words + [files.path(name)]).map { String(decoding: $0, as: UTF8.self) } ?? ""
    var tags: [AudioTags.Field: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let name = parts[0].split(separator: ":").last else { continue }
      if let field = AudioTags.Field(rawValue: name.lowercased()) { tags[field] = String(parts[1]) }
    }
    return tags
  }

  @Test(
    "tags are kept between kinds of files", .shows("process: tags"),
    arguments: ["wav", "flac", "ogg", "opus", "mp3"], ["wav", "flac", "ogg", "opus", "mp3", "caf"])
  func kept(input: String, output: String) throws {
    _ = try process(tone("in.\(input)"), to: "out.\(output)")
    let tags = try AudioFileReader.open(path: files.path("out.\(output)")).tags
    let found = found(in: "out.\(output)")
    for (field, text) in Self.texts {
      #expect(found[field] == text, "\(field)")
      #expect(tags[field] == text)
    }
  }

  @Test("a title in Windows-1252 is kept as UTF-8")
  func windowsText() throws {
    let path = tone("in.wav")
    var bytes = files.bytes(path)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "Ängste".utf8) })
    // "é", a dash and the sign of the euro.
    bytes.replaceSubrange(place..<place + 7, with: [0x63, 0x61, 0x66, 0xE9, 0x20, 0x96, 0x80])
    let file = try #require(fopen(path, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    _ = try process(path, to: "out.wav")
    #expect(found(in: "out.wav")[.title] == "café –€")
  }

  @Test(
    "tags change no sample and can be left out", .shows("process: tags"),
    arguments: [true, false])
  func leftOut(keepsTags: Bool) throws {
    let path = tone("in.wav")
    _ = try process(path, to: "out.wav", keepsTags: keepsTags)
    #expect(try files.read(files.path("out.wav")) == files.read(path))
    #expect(found(in: "out.wav")[.title] == (keepsTags ? "Ängste" : nil))
    #expect(try AudioFileReader.open(path: files.path("out.wav")).warnings.isEmpty)
  }

  @Test("dropped chunks of a WAV file are named once", .shows("process: tags"))
  func dropped() throws {
    var bytes = files.bytes(try files.write("plain.wav", [[Float](repeating: 0.25, count: 480)]))
    func chunk(_ name: String, _ count: Int) -> [UInt8] {
      Array(name.utf8) + [UInt8(count), 0, 0, 0] + [UInt8](repeating: 0, count: count + count % 2)
    }
    bytes.insert(contentsOf: chunk("bext", 33) + chunk("cue ", 4) + chunk("JUNK", 6), at: 12)
    bytes += chunk("smpl", 36) + chunk("cue ", 4)
    let size = bytes.count - 8
    bytes.replaceSubrange(4..<8, with: (0..<4).map { UInt8(size >> (8 * $0) & 255) })
    let path = files.path("chunks.wav")
    let file = try #require(fopen(path, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    #expect(try process(path, to: "out.wav").droppedChunks == ["bext", "cue", "smpl"])
    #expect(try files.read(files.path("out.wav")) == files.read(path))
  }
}
