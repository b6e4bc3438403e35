import CommandTestSupport
import TestSupport
import Testing

@Suite("Names of files", .timeLimit(.minutes(10)))
struct NameTests {
  private static let voice = Signals.wave(
    "s16", rate: 8_000, channels: 1, Signals.sine(440, rate: 8_000, seconds: 0.1, amplitude: 0.5))

  @Test(
    "a name that is not UTF-8 fails alone among several inputs", .shows("process: inputs"),
    arguments: ["'*.wav'", "@lst", "$'bad\\xff.wav' $'b\\xc3.wav' in.wav", "-- in.wav $'bad\\xff.wav' $'b\\xc3.wav'"])
  func notUTF8(words: String) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    let ending = try Tool.shell(
      "cp in.wav $'bad\\xff.wav'; cp in.wav $'b\\xc3.wav'; printf 'bad\\xff.wav\\r\\nb\\xc3.wav\\nin.wav\\n' > lst; "
        + "$A process --out-dir out --report r.json \(words); s=$?; ls out; exit $s", in: folder)
    #expect(ending.status == 1 && ending.text == "in.wav\n", "\(ending.status) \(ending.text) \(ending.errors)")
    for name in ["bad\u{FFFD}.wav", "b\u{FFFD}.wav"] {
      #expect(ending.errors.contains("\(name): the name is not UTF-8; rename the file"), "\(ending.errors)")
    }
    #expect(ending.errors.contains("2 of 3 inputs failed") && folder.has("r.in.wav.json"), "\(ending.errors)")
  }

  @Test("analyze skips a name that is not UTF-8 and reads the other inputs")
  func analyze() throws {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    let ending = try Tool.shell(
      "cp in.wav $'bad\\xff.wav'; $A analyze --volume --csv t.csv $'bad\\xff.wav' in.wav", in: folder)
    #expect(ending.status == 1 && ending.errors.contains("the name is not UTF-8"), "\(ending.errors)")
    #expect(folder.has("t.in.wav.csv"))
  }

  @Test(
    "a single input with a name that is not UTF-8 is refused with 66",
    arguments: [
      "process 'b*.wav' --out-dir out", "process $'bad\\xff.wav' -o out",
      "rtp send --url rtp://[::1]:9 $'bad\\xff.wav'",
    ])
  func single(words: String) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    let ending = try Tool.shell("cp in.wav $'bad\\xff.wav'; $A \(words)", in: folder)
    #expect(ending.status == 66 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains("the name is not UTF-8; rename the file") && !folder.has("out"), "\(ending.errors)")
  }

  @Test(
    "an argument that is not UTF-8 is refused with 64", .shows("process: inputs"),
    arguments: [
      "process in.wav --local bad$'\\xff.wav'", "$'\\xff'", "rtp $'\\xff'", "process $'--out\\xff' in.wav",
      "doctor $'\\xff'",
    ])
  func otherWords(words: String) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    let ending = try Tool.shell("cp in.wav $'bad\\xff.wav'; $A \(words)", in: folder)
    #expect(ending.status == 64 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains("not UTF-8"), "\(ending.errors)")
  }

  @Test("an output name that is not UTF-8 is refused")
  func output() throws {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    let ending = try Tool.shell("$A process in.wav -o $'new\\xff.wav'; s=$?; ls; exit $s", in: folder)
    #expect(
      ending.status == 64 && ending.errors.contains("not UTF-8") && !ending.text.contains("new"), "\(ending.errors)")
  }

  @Test("a list may have a byte order mark and any letters")
  func byteOrderMark() throws {
    let folder = try Workspace()
    for name in ["in.wav", "Grüße 音.wav"] { try folder.write(name, Self.voice.file()) }
    try folder.write("lst", [0xEF, 0xBB, 0xBF] + Array("in.wav\r\nGrüße 音.wav\r\n".utf8))
    let ending = try Tool.call("process @lst --out-dir out", in: folder)
    #expect(ending.status == 0 && folder.has("out/in.wav") && folder.has("out/Grüße 音.wav"), "\(ending.errors)")
  }
}
