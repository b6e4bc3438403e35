import AudioFiles
import AudioGraph
import FileTestSupport
import Glibc
import TestSupport
import Testing

/// Which loudspeaker each channel is for, in files of others and in ours. ffmpeg is the oracle.
@Suite(.timeLimit(.minutes(10)), .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct ChannelOrderTests {
  private let files = TestFiles()

  /// ffmpeg's names for the channels that Vorbis I, 4.3.9, and WAV both have.
  private static let layouts = ["3.0", "quad", "5.0", "5.1", "6.1", "7.1"]
  private static let counts = ["3.0": 3, "quad": 4, "4.0": 4, "5.0": 5, "5.1": 6, "6.1": 7, "7.1": 8]

  /// Time for which each channel has its tone, in samples.
  private static let slot = 12_000

  /// A WAV file with a tone in one channel after the other, low enough for encoders of low frequencies.
  private func tones(of layout: String) -> String {
    let path = files.path("tone.wav")
    let seconds = Double(Self.slot) / 48_000
    let channels = (0..<Self.counts[layout]!).map { "0.1*sin(2*PI*60*t)*eq(floor(t/\(seconds))\\,\($0))" }
    _ = run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i",
        "aevalsrc=\(channels.joined(separator: "|")):s=48000:d=\(seconds * Double(channels.count)):c=\(layout)",
        "-c:a", "pcm_f32le", path,
      ])
    return path
  }

  private func convert(_ path: String, to name: String, _ options: [String] = []) -> String {
    _ = run("ffmpeg", ["-v", "error", "-y", "-i", path] + options + [files.path(name)])
    return files.path(name)
  }

  /// Expects the tone of each channel in its time, in that channel alone.
  private func expectTones(_ path: String) throws {
    let planes = try files.read(path)
    for channel in planes.indices {
      // Encoders spread the ends of a tone.
      let middle = channel * Self.slot + Self.slot / 4..<channel * Self.slot + Self.slot * 3 / 4
      try #require(planes[0].count >= middle.upperBound, "\(path)")
      let powers = planes.map { plane in plane[middle].reduce(0) { $0 + $1 * $1 } / Float(middle.count) }
      // Encoders of Vorbis change the low frequencies' channel by some dB.
      #expect(powers[channel] > 0.0025 && powers[channel] < 0.01, "channel \(channel): \(powers)")
      #expect(powers.indices.allSatisfy { $0 == channel || powers[$0] < 0.000_1 }, "channel \(channel): \(powers)")
    }
  }

  @Test(
    "each channel of an Opus or Vorbis file is read as its loudspeaker's", .shows("process: loudspeakers"),
    arguments: layouts,
    [
      ("opus", ["-c:a", "libopus", "-mapping_family", "1", "-b:a", "512k"]),
      ("ogg", ["-c:a", "libvorbis", "-q:a", "6"]),
    ])
  func reading(layout: String, kind: (name: String, options: [String])) throws {
    let file = convert(tones(of: layout), to: "tone.\(kind.name)", kind.options)
    try expectTones(file)
  }

  @Test(
    "ffmpeg finds each channel of our Opus and Vorbis files", .shows("process: loudspeakers"), arguments: layouts,
    ["opus", "ogg"])
  func writing(layout: String, kind: String) throws {
    let file = try files.write("ours.\(kind)", try files.read(tones(of: layout)))
    try expectTones(convert(file, to: "back.wav", ["-c:a", "pcm_f32le"]))
  }

  @Test(
    "unusual loudspeakers that ffmpeg writes are read", .shows("process: loudspeakers"),
    arguments: ["flac", "w64", "caf"])
  func masks(kind: String) throws {
    let file = convert(tones(of: "4.0"), to: "tone.\(kind)")
    #expect(try AudioFileReader.open(path: file).speakers == 0x107)
    try expectTones(file)
  }

  @Test(
    "unusual loudspeakers are stored, or a warning says that they are not",
    .shows("process: loudspeakers"),
    arguments: [
      ("wav", true), ("aiff", true), ("caf", true), ("flac", false), ("w64", false), ("ogg", false), ("opus", false),
    ])
  func writtenMasks(kind: String, isSaid: Bool) throws {
    let path = files.path("ours.\(kind)")
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 4)
    let writer = try AudioFileOutput.create(
      path: path, format: format, options: OutputOptions(sampleFormat: .int16, speakers: 0x107))
    let silence = [Float](repeating: 0, count: 4_800)
    try silence.withUnsafeBufferPointer { try writer.write($0.baseAddress!, stride: 0, count: 4_800) }
    try writer.finish()
    #expect(writer.warnings.map(\.code) == (isSaid ? [] : [.speakers]))
    #expect(try AudioFileReader.open(path: path).speakers == (isSaid ? 0x107 : 0))
    if isSaid { #expect(layout(path) == "4.0") }
  }

  @Test("W64 warns of channel counts that ffmpeg maps to other loudspeakers", arguments: 1...8)
  func w64(channelCount: Int) throws {
    let writer = try AudioFileOutput.create(
      path: files.path("ours.w64"), format: try AudioFormat(sampleRate: 48_000, channelCount: channelCount),
      options: OutputOptions(sampleFormat: .int16))
    #expect(writer.warnings.map(\.code) == ([3, 4, 7].contains(channelCount) ? [.speakers] : []))
    writer.abandon()
  }

  @Test("5.1 with loudspeakers at the sides is Vorbis's 5.1", arguments: ["ogg", "opus"])
  func sides(kind: String) throws {
    let writer = try AudioFileOutput.create(
      path: files.path("ours.\(kind)"), format: try AudioFormat(sampleRate: 48_000, channelCount: 6),
      options: OutputOptions(sampleFormat: .int16, speakers: 0x60F))
    #expect(writer.warnings.isEmpty)
    writer.abandon()
  }

  private func layout(_ path: String) -> String? {
    let words = ["-v", "error", "-show_entries", "stream=channel_layout", "-of", "csv=p=0", path]
    return run("ffprobe", words).map { String(decoding: $0, as: UTF8.self).filter { !$0.isNewline } }
  }
}
