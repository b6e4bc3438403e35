import Testing

@Suite("Options that have nothing to act on")
struct UselessOptionTests {
  @Test(
    "An option that cannot matter is refused with 64, as what it acts on is missing",
    arguments: [
      ("process in.wav --overwrite", "--overwrite has nothing to replace"),
      ("process in.wav --json --overwrite --dry-run", "--overwrite has nothing to replace"),
      ("process in.wav --seed 2 --report r.json", "--seed has no output to dither"),
      ("analyze in.wav --volume --overwrite", "--overwrite has nothing to replace"),
      ("simulate --user 1=in.wav --user 2=in.wav --sample-format s24", "--sample-format has no output to apply to"),
      ("simulate --user 1=in.wav --user 2=in.wav --overwrite", "--overwrite has nothing to replace"),
      ("rtp send in.wav --url rtp://127.0.0.1:9 --overwrite", "--overwrite has nothing to replace"),
    ])
  func refused(line: String, words: String) throws {
    let folder = try Workspace()
    let ending = try Tool.run(line, in: folder)
    #expect(ending.status == 64 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains(words) && ending.errors.contains("or leave it out"), "\(ending.errors)")
  }

  @Test("The graph takes the arguments of process whatever of it would be written")
  func graph() throws {
    let folder = try Workspace()
    try folder.write(
      "in.wav",
      Signals.wave("s16", rate: 8_000, channels: 1, Signals.sine(440, rate: 8_000, seconds: 0.1, amplitude: 0.5)).file()
    )
    for options in ["--overwrite", "--seed 3", "--dither"] {
      #expect(try Tool.run("graph in.wav \(options)", in: folder).status == 0, "\(options)")
    }
  }
}
