import CommandTestSupport
import TestSupport
import Testing

@Suite("options without an effect", .timeLimit(.minutes(10)))
struct UselessOptionTests {
  @Test(
    "an option without an output to act on is refused with 64", .shows("usage"),
    arguments: [
      ("process in.wav --seed 2 --report r.json", "--seed has no output to dither"),
      ("simulate --user 1=in.wav --user 2=in.wav --sample-format s24", "--sample-format has no output to apply to"),
    ])
  func refused(line: String, words: String) throws {
    let folder = try Workspace()
    let ending = try Tool.call(line, in: folder)
    #expect(ending.status == 64 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains(words) && ending.errors.contains("or leave it out"), "\(ending.errors)")
  }

  @Test(
    "an option that acts on a missing input is refused with 64", .shows("usage"),
    arguments: ["--gain 3", "--pan 1", "--pitch 1.2 --keep-formants"])
  func noInput(options: String) throws {
    let folder = try Workspace()
    for command in ["process", "graph"] {
      let ending = try Tool.call("\(command) --user b.wav \(options)", in: folder)
      #expect(ending.status == 64 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
      #expect(ending.errors.contains(" acts on the input, and there is none; name an input file"), "\(ending.errors)")
    }
  }

  @Test(
    "--quiet and --progress are refused together by every command", .shows("usage"),
    arguments: [
      "process in.wav", "graph in.wav", "analyze in.wav --volume", "simulate --user 1=in.wav --user 2=in.wav",
    ])
  func silentProgress(line: String) throws {
    let folder = try Workspace()
    for mode in ["bar", "plain"] {
      let ending = try Tool.call("\(line) -q --progress \(mode)", in: folder)
      #expect(ending.status == 64 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
      #expect(ending.errors.contains("--quiet and --progress \(mode) contradict each other"), "\(ending.errors)")
    }
  }

  @Test(
    "--overwrite is accepted if nothing is replaced", .shows("usage"),
    arguments: [
      "process in.wav", "process in.wav --json --dry-run", "analyze in.wav --volume",
      "simulate --user 1=in.wav --user 2=in.wav",
    ])
  func permission(line: String) throws {
    let folder = try Workspace()
    try folder.write(
      "in.wav",
      Signals.wave("s16", rate: 8_000, channels: 1, Signals.sine(440, rate: 8_000, seconds: 0.1, amplitude: 0.5)).file()
    )
    let ending = try Tool.call(line + " --overwrite", in: folder)
    #expect(ending.status == 0 && ending.failures.isEmpty && ending.warnings.isEmpty, "\(ending.errors)")
  }

  @Test("the graph accepts the output options of process")
  func graph() throws {
    let folder = try Workspace()
    try folder.write(
      "in.wav",
      Signals.wave("s16", rate: 8_000, channels: 1, Signals.sine(440, rate: 8_000, seconds: 0.1, amplitude: 0.5)).file()
    )
    for options in ["--overwrite", "--seed 3", "--dither", "-q --progress none", "-q --progress auto"] {
      #expect(try Tool.call("graph in.wav \(options)", in: folder).status == 0, "\(options)")
    }
  }
}
