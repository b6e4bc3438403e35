import Testing

@Suite("Names of files")
struct NameTests {
  private static let voice = Signals.wave(
    "s16", rate: 8_000, channels: 1, Signals.sine(440, rate: 8_000, seconds: 0.1, amplitude: 0.5))

  @Test(
    "A name that is not UTF-8 is refused with 66, as the reason",
    arguments: [
      "'b*.wav' --out-dir out", "@lst --out-dir out", "$'bad\\xff.wav' --out-dir out", "--local bad$'\\xff.wav' in.wav",
    ])
  func notUTF8(words: String) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    let ending = try Tool.shell(
      "cp in.wav $'bad\\xff.wav'; printf 'in.wav\\nbad\\xff.wav\\n' > lst; $A process \(words)", in: folder)
    #expect(ending.status == 66 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains("the name is not UTF-8; rename the file") && !folder.has("out"), "\(ending.errors)")
  }

  @Test("An output whose name is not UTF-8 is not written under another name")
  func output() throws {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    let ending = try Tool.shell("$A process in.wav -o $'new\\xff.wav'; s=$?; ls; exit $s", in: folder)
    #expect(
      ending.status == 64 && ending.errors.contains("not UTF-8") && !ending.text.contains("new"), "\(ending.errors)")
  }

  @Test("A list may begin with a byte order mark, and names may be of any letters")
  func byteOrderMark() throws {
    let folder = try Workspace()
    for name in ["in.wav", "Grüße 音.wav"] { try folder.write(name, Self.voice.file()) }
    try folder.write("lst", [0xEF, 0xBB, 0xBF] + Array("in.wav\r\nGrüße 音.wav\r\n".utf8))
    let ending = try Tool.run("process @lst --out-dir out", in: folder)
    #expect(ending.status == 0 && folder.has("out/in.wav") && folder.has("out/Grüße 音.wav"), "\(ending.errors)")
  }
}
