import CommandTestSupport
import TestSupport
import Testing

@Suite("process is the same however it runs", .timeLimit(.minutes(10)))
struct DeterminismTests {
  /// Everything that could depend on when what happens: two rates, dither, limiters, music, codec-free.
  private static let sound = "--gain 3 --pan 0.3 --mix music.wav:volume=60 --user other.wav:at=0.1:gain=-2"

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    for (name, rate, hertz) in [("in", 48_000, 440.0), ("music", 44_100, 300), ("other", 16_000, 700)] {
      let samples = Signals.sine(hertz, rate: rate, seconds: 0.6, amplitude: 0.9)
      try folder.write(name + ".wav", Signals.wave("s16", rate: rate, channels: 1, samples).file())
    }
    return folder
  }

  @Test("jobs, pacing and pipes do not change the output", .shows("process: determinism"))
  func same() throws {
    let folder = try folder()
    let script = """
      for i in 1 2 3 4; do cp in.wav $i.wav; done
      $A process [1-4].wav --out-dir one --jobs 1 \(Self.sound) &&
      $A process [1-4].wav --out-dir two --jobs 2 \(Self.sound) &&
      $A process in.wav -o paced.wav --realtime \(Self.sound) &&
      cat in.wav | $A process - -o piped.wav \(Self.sound) &&
      tail -c +45 in.wav | $A process - --raw s16:48000:1 -o raw.wav \(Self.sound) &&
      cat two/*.wav one/2.wav one/3.wav one/4.wav > all
      """
    let ending = try Tool.shell(script, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let expected = try folder.read("one/1.wav")
    #expect(Wave(expected)?.frames == 48_000 * 7 / 10)
    for name in ["one/2", "one/4", "two/1", "two/2", "two/3", "two/4", "paced", "piped", "raw"] {
      #expect(try folder.read(name + ".wav") == expected, "\(name)")
    }
  }

  @Test("A stream on stdout holds the samples of the file")
  func stream() throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav -o file.wav \(Self.sound) && $A process in.wav -o - \(Self.sound) | cat", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let file = try #require(Wave(try folder.read("file.wav")))
    #expect(ending.output.count == 44 + file.data.count && Array(ending.output.suffix(file.data.count)) == file.data)
    // The length of a stream is not known when its header is written.
    #expect(Wave.number(ending.output, 40, 4) == 0xFFFF_FFFF)
  }

  @Test("dither depends on the seed and is omitted for unchanged samples", .shows("process: dither"))
  func dither() throws {
    let folder = try folder()
    let script = """
      $A process in.wav -o a.wav --gain -1 && $A process in.wav -o b.wav --gain -1 --seed 1 &&
      $A process in.wav -o c.wav --gain -1 --seed 2 && $A process in.wav -o d.wav --gain -1 --no-dither &&
      $A process in.wav -o e.wav && $A process in.wav -o f.wav --dither
      """
    let ending = try Tool.shell(script, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let waves = try ["a", "b", "c", "d", "e", "f", "in"].map { try folder.read($0 + ".wav") }
    #expect(waves[0] == waves[1] && waves[0] != waves[2] && waves[0] != waves[3] && waves[2] != waves[3])
    #expect(Wave(waves[4])?.data == Wave(waves[6])?.data && Wave(waves[5])?.data != Wave(waves[6])?.data)
  }
}
