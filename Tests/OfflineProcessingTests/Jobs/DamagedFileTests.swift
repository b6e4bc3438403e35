import AudioFiles
import AudioGraph
import Engine
import FileTestSupport
import Glibc
import OfflineProcessing
import Playback
import TestSupport
import Testing

/// Files of which something is missing, read for a voice: as much of them as there is, and one warning of what there is
/// not.
@Suite(.timeLimit(.minutes(10))) struct DamagedFileTests {
  private let files = TestFiles()

  private func tone(_ kind: String) throws -> String {
    try files.write("tone.\(kind)", [(0..<288_000).map { 0.4 * sine(437 * Double($0) / 48_000) }])
  }

  /// Makes 3,000 bytes of a file others.
  private func damage(_ path: String, at place: Double) {
    var bytes = files.bytes(path)
    let first = Int(place * Double(bytes.count))
    for index in first..<(first + 3_000) { bytes[index] = bytes[index] &* 7 &+ 13 }
    rewrite(path, bytes)
  }

  /// What comes of a job with one voice, and what it warns of, with where that is.
  private func process(_ path: String) throws -> (samples: [Float], warnings: [(message: String, position: Int)]) {
    let output = files.path("out.wav")
    var job = FileProcessing()
    job.input = .path(path)
    job.output = .path(output, container: nil)
    job.overwrite = true
    let result = try job.prepare().run()
    let warnings = result.events.compactMap { event -> (message: String, position: Int)? in
      guard case .warning(let warning) = event.kind else { return nil }
      return (warning.message, event.samplePosition ?? -1)
    }
    return (try files.read(output)[0], warnings)
  }

  @Test(
    "a damaged FLAC voice ends at the damage with one warning",
    .shows("M4"),
    arguments: [0.3, 0.5, 0.7], [44_100, 48_000])
  func damaged(place: Double, rate: Int) throws {
    let path = try files.write(
      "tone.flac", [(0..<288_000).map { 0.4 * sine(437 * Double($0) / 48_000) }], sampleRate: rate)
    let whole = try files.read(path)[0]
    damage(path, at: place)
    let (samples, warnings) = try process(path)
    try #require(warnings.count == 1, "\(warnings)")
    #expect(warnings[0].position == samples.count)
    let words =
      "promises 288000 samples a channel, but it is damaged or ends behind \(samples.count), and is read no further"
    #expect(warnings[0].message.contains(words), "\(warnings)")
    // All blocks before the damage are there and as they were.
    #expect(abs(Double(samples.count) - place * 288_000) < 12_000 && samples.count % 4_096 == 0)
    let isSame = samples.elementsEqual(whole.prefix(samples.count))
    #expect(isSame)
  }

  @Test(
    "the size of a read does not change the samples of a damaged file", .shows("M4"),
    arguments: [100, 480, 4_096, 70_000])
  func pieces(count: Int) throws {
    let path = try tone("flac")
    damage(path, at: 0.5)
    let expected = try files.read(path)[0]
    let reader = try AudioFileReader.open(path: path)
    var memory = [Float](repeating: 1, count: count)
    var samples: [Float] = []
    while true {
      let got = try memory.withUnsafeMutableBufferPointer {
        try reader.read(into: $0.baseAddress!, stride: count, maximumCount: count)
      }
      if got == 0 { break }
      samples += memory[..<got]
    }
    let isSame = samples == expected
    #expect(isSame && reader.warnings.count == 1)
  }

  @Test(
    "a truncated voice of each kind is read to its end with one warning", .shows("M4"),
    arguments: ["wav", "flac", "aiff", "au", "caf", "w64", "ogg", "opus", "mp3"])
  func short(kind: String) throws {
    let path = try tone(kind)
    let whole = try files.read(path)[0]
    truncate(path, files.bytes(path).count * 4 / 5)
    let (samples, warnings) = try process(path)
    try #require(warnings.count == 1, "\(warnings)")
    #expect(samples.count > 100_000 && samples.count < 250_000)
    // Where it ends is told, and by most in words too; an MP3 file's library gives less than it finds.
    #expect(warnings[0].position == samples.count || kind == "mp3", "\(warnings)")
    let words = " s, behind \(samples.count) samples a channel"
    #expect(warnings[0].message.contains(words) || ["wav", "flac", "mp3"].contains(kind), "\(warnings)")
    // What a lossy codec says of its last block depends on what follows; the output has 16 bits, and dither of as much.
    let isSame = zip(samples, whole).prefix(samples.count - 5_000).allSatisfy { abs($0 - $1) < 3 / 32_768 }
    #expect(isSame)
  }

  @Test(
    "files that were joined are read as far as the first, with one warning", .shows("M5"),
    arguments: ["ogg", "opus", "flac", "mp3"])
  func joined(kind: String) throws {
    let path = try tone(kind)
    let (whole, warningsOfOne) = try process(path)
    let bytes = files.bytes(path)
    rewrite(path, bytes + bytes)
    let (samples, warnings) = try process(path)
    #expect(samples == whole && warningsOfOne.isEmpty && warnings.count == 1, "\(warnings)")
    #expect(warnings[0].message.contains("another stream"))
  }

  @Test(
    "an Ogg file with damaged last pages has one warning", .shows("M5"),
    arguments: [0.99, 0.95])
  func damagedEnd(place: Double) throws {
    let path = try tone("ogg")
    let whole = try files.read(path)[0].count
    var bytes = files.bytes(path)
    bytes[Int(place * Double(bytes.count))] ^= 0x55
    rewrite(path, bytes)
    let (samples, warnings) = try process(path)
    #expect(samples.count <= whole && warnings.count == 1, "\(samples.count) of \(whole): \(warnings)")
    // What only stands behind the sound is nobody's concern.
    bytes[Int(place * Double(bytes.count))] ^= 0x55
    rewrite(path, bytes + Array("TAG".utf8) + [UInt8](repeating: 0, count: 125))
    #expect(try process(path).warnings.isEmpty)
  }

  @Test("bytes behind the sound of a W64 file are not read", .shows("M5"))
  func behindW64() throws {
    let path = try tone("w64")
    let whole = try files.read(path)[0]
    let bytes = files.bytes(path)
    rewrite(path, bytes + (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    let (samples, warnings) = try process(path)
    #expect(samples == whole && warnings.isEmpty)
  }

  private func rewrite(_ path: String, _ bytes: [UInt8]) {
    let file = fopen(path, "w")!
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  @Test("a CAF file has a warning at any length shorter than its own", .shows("M4"))
  func shortCAF() throws {
    let path = try tone("caf")
    #expect(try AudioFileReader.open(path: path).warnings.isEmpty)
    let count = files.bytes(path).count
    for left in [count - 1_000, count - 200_001, count - 575_000] {
      truncate(path, left)
      let reader = try AudioFileReader.open(path: path)
      #expect(reader.warnings.count == 1)
      let expected = (288_000 * 2 - (count - left)) / 2
      #expect(reader.samplesPerChannel == expected)
      #expect(try files.read(path)[0].count == expected)
    }
  }

  @Test("an MP3 file without a length is read to its end without a warning", .shows("M4"))
  func unknownLength() throws {
    let path = try tone("mp3")
    // Without its name the header is a frame of silence.
    var bytes = files.bytes(path)
    let mark = try #require(
      (0..<4_096).first { ["Xing", "Info"].contains(String(decoding: bytes[$0..<$0 + 4], as: UTF8.self)) })
    for index in mark..<(mark + 4) { bytes[index] = 0 }
    rewrite(path, bytes)
    let (samples, warnings) = try process(path)
    // Whole frames, with the encoder's delay and padding, which nothing marks any more.
    #expect(warnings.isEmpty && samples.count % 1_152 == 0 && (288_000...292_608).contains(samples.count))
    var job = FileProcessing()
    job.input = .path(try files.write("silence.wav", [[Float](repeating: 0, count: 336_000)]))
    job.effects = [.init(soundID: 7, sound: SoundEffect(path: path))]
    let events = try job.prepare().run().events
    let end = try #require(events.last?.samplePosition)
    #expect(end > 288_000 && events.count == 1 && events.last?.kind == .effectFinished(7), "\(events)")
  }
}
