import AudioFiles
import AudioGraph
import FileTestSupport
import TestSupport
import Testing

/// Parts of encoded files against the same samples of the whole.
@Suite(.timeLimit(.minutes(10)), .enabled(if: isInstalled("ffmpeg") && isInstalled("sox"), "ffmpeg or sox is missing"))
struct PartsOfFilesTests {
  /// Kinds of files, each with the command that codes WAV so.
  private static let kinds: [(name: String, options: [String])] = [
    ("variable.mp3", ["-c:a", "libmp3lame", "-q:a", "6"]),
    ("unmarked.mp3", ["-c:a", "libmp3lame", "-q:a", "9", "-write_xing", "0"]),
    ("least.mp3", ["-ar", "16000", "-c:a", "libmp3lame", "-b:a", "8k"]),
    ("second.mp2", ["-c:a", "mp2", "-b:a", "64k"]),
    ("blocks.ogg", ["-c:a", "libvorbis", "-q:a", "3"]),
    ("voice.opus", ["-c:a", "libopus", "-application", "voip", "-b:a", "16k"]),
    ("music.opus", ["-c:a", "libopus", "-b:a", "64k"]),
    ("plain.flac", ["-c:a", "flac"]),
    ("gsm.wav", []),
  ]
  private let files = TestFiles()

  /// Bursts, noise and near silence: blocks of any length, and frames that borrow from others.
  private func make(_ name: String, _ options: [String]) -> String {
    let source =
      "aevalsrc='0.4*sin(600*PI*t)*gt(sin(6*PI*t)\\,0)+0.2*(random(0)-0.5)*lt(mod(t\\,3)\\,1)'"
      + ":s=\(options.isEmpty ? 8_000 : 48_000):d=12"
    let wave = files.path("source.wav")
    _ = run("ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", source, wave])
    let path = files.path(name)
    _ =
      options.isEmpty
      ? run("sox", [wave, "-e", "gsm-full-rate", path])
      : run("ffmpeg", ["-v", "error", "-y", "-i", wave] + options + [path])
    return path
  }

  private func read(_ reader: AudioFileReader, _ count: Int) throws -> [Float] {
    var samples = [Float](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = try samples.withUnsafeMutableBufferPointer {
        try reader.read(into: $0.baseAddress! + done, stride: count, maximumCount: count - done)
      }
      if got == 0 { break }
      done += got
    }
    return Array(samples[..<done])
  }

  @Test(
    "a part has the same samples as the whole, wherever it begins", .shows("input: compressed"),
    arguments: kinds.indices)
  func parts(index: Int) throws {
    let (name, options) = Self.kinds[index]
    let path = make(name, options)
    let rate = try AudioFileReader.open(path: path).format.sampleRate
    let whole = try read(try AudioFileReader.open(path: path), 20 * rate)
    #expect(whole.count >= 12 * rate)
    var random = SeededGenerator(seed: UInt64(index))
    let reader = try AudioFileReader.open(path: path)
    for _ in 0..<60 {
      let begin = Int(random.next() % UInt64(whole.count))
      try reader.seek(to: begin)
      let part = try read(reader, rate / 5)
      #expect(part.count == min(rate / 5, whole.count - begin))
      let worst = zip(part, whole[begin...]).map { abs($0 - $1) }.max() ?? 0
      #expect(worst < 1e-6, "\(name) from sample \(begin): \(worst)")
    }
  }
}
