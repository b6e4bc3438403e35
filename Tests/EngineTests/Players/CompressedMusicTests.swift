import Engine
import FileTestSupport
import Foundation
import FrameObservers
import TestSupport
import Testing

/// Music that another program has encoded with loss, against the tone that it was made of.
@Suite(.timeLimit(.minutes(10))) struct CompressedMusicTests {
  /// A file of another program: encoder, rate in Hz, and channels.
  struct Kind: CustomTestStringConvertible, Sendable {
    let encoder: String
    let rate: Int
    let channelCount: Int
    var name: String { encoder == "libopus" ? "a.opus" : "a.mp3" }
    var testDescription: String { "\(encoder) \(rate) \(channelCount)" }
  }

  private static let kinds = [
    Kind(encoder: "libopus", rate: 48_000, channelCount: 1), Kind(encoder: "libopus", rate: 48_000, channelCount: 2),
    Kind(encoder: "libmp3lame", rate: 44_100, channelCount: 1),
    Kind(encoder: "libmp3lame", rate: 48_000, channelCount: 2),
    Kind(encoder: "libmp3lame", rate: 22_050, channelCount: 1),
  ]

  @Test(
    "Opus and MP3 of ffmpeg play at the right speed and level", .shows("M5"),
    .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"), arguments: kinds)
  func ffmpeg(kind: Kind) throws {
    let files = TestFiles()
    let target = files.path(kind.name)
    // A second of 1 kHz at 0.3, in every channel.
    let tone = "aevalsrc=\(Array(repeating: "0.3*sin(2*PI*1000*t)", count: kind.channelCount).joined(separator: "|"))"
    _ = try #require(
      run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "\(tone):s=\(kind.rate):d=1", "-c:a", kind.encoder, "-b:a", "128k",
          target,
        ]))
    let script = try SoundScript(ticks: 130, channelCount: kind.channelCount)
    try script.pipeline.startAudioMixing(target)
    try script.run()
    let mixed = script.seen.stream(.init(position: .mixed))
    let level = toneAmplitude(of: 1_000, in: mixed[4_800..<43_200], sampleRate: 48_000)
    // LAME may encode a lower level than it is given: the level of the file is that of ffmpeg's decoder.
    let decoded = try #require(
      run("ffmpeg", ["-v", "error", "-i", target, "-f", "s16le", "-ac", "1", "-ar", "48000", "-"]))
    try #require(decoded.count >= 2 * 43_200 && mixed.count >= 43_200)
    let theirs = (4_800..<43_200).map {
      Int16(truncatingIfNeeded: Int(decoded[2 * $0]) | Int(decoded[2 * $0 + 1]) << 8)
    }
    let expected = toneAmplitude(of: 1_000, in: theirs.map { Float($0) / 32_768 }, sampleRate: 48_000)
    #expect(abs(20 * log10(level / expected)) < 0.05 && abs(20 * log10(level / 0.3)) < 0.5)
    // The tone itself: its phase shows the speed, and that the sound begins at its first sample.
    let noise = (4_800..<43_200).reduce(0.0) { sum, index in
      let error = Double(mixed[index]) - sine64(1_000 * Double(index) / 48_000) * level
      return sum + error * error
    }
    let ratio = 10 * log10(level * level / 2 * 38_400 / noise)
    #expect(ratio > 40, "\(ratio) dB")
    #expect(script.history.last == "finished at 48000")
  }
}
