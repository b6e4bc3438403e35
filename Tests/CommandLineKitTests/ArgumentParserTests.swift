import CommandTestSupport
import Testing

@testable import CommandLineKit
@testable import Commands
@testable import FileCommands
@testable import SoundOptions

private let command = CommandDeclaration(
  name: "test", summary: "Test", examples: [],
  operands: CommandDeclaration.Operands(kind: .files, placeholder: "IN...", minimum: 1, maximum: 2),
  options: [
    OptionDeclaration("output", short: "o", .file, group: "G", help: "h"),
    OptionDeclaration("all", short: "a", group: "G", help: "h"),
    OptionDeclaration("verbose", short: "v", group: "G", help: "h"),
    OptionDeclaration("gain", .number(-120...60, unit: "dB"), group: "G", help: "h"),
    OptionDeclaration("count", short: "n", .integer(0...400), group: "G", help: "h"),
    OptionDeclaration("level", .choice(["error", "info"]), group: "G", help: "h"),
    OptionDeclaration("observe", .choices(["record", "mixed"]), group: "G", help: "h"),
    OptionDeclaration("user", .keyed(SpeakerFile.syntax), isRepeatable: true, group: "G", help: "h"),
    OptionDeclaration("codec", .keyed(CodecOptions.syntax), group: "G", help: "h"),
  ])

@Suite("ArgumentParser", .timeLimit(.minutes(10)))
struct ArgumentParserTests {
  @Test(
    "A value stands behind =, behind a space, or behind its letter",
    arguments: [
      ["--output=x"], ["--output", "x"], ["-o", "x"], ["-ox"], ["-avox"], ["-avo", "x"],
    ])
  func valuePlaces(words: [String]) throws {
    #expect(try parse(words, command).text("output") == "x")
  }

  @Test("Clustered letters are flags of their own, the last may take a value")
  func clusters() throws {
    let parsed = try parse(["-avn7", "in"], command)
    #expect(parsed.has("all") && parsed.has("verbose"))
    #expect(parsed.integer("count") == 7)
    #expect(parsed.operands == ["in"])
  }

  @Test("options and operands may be mixed; -- ends options, - is an operand")
  func operands() throws {
    let parsed = try parse(["a", "--all", "-", "--", "--gain", "-v", "--"], command)
    #expect(parsed.operands == ["a", "-", "--gain", "-v", "--"])
    #expect(parsed.has("all") && !parsed.has("gain") && !parsed.has("verbose"))
  }

  @Test("A value may begin with a dash or hold an equals sign")
  func oddValues() throws {
    #expect(try parse(["--gain", "-3"], command).number("gain") == -3)
    #expect(try parse(["--output", "-"], command).text("output") == "-")
    #expect(try parse(["--output=a=b"], command).text("output") == "a=b")
    #expect(try parse(["--output=--all"], command).text("output") == "--all")
    #expect(try parse(["-o", "-x"], command).text("output") == "-x")
  }

  @Test(
    "Numbers are read exactly, with their unit if wanted",
    arguments: [
      ("-3", -3), ("+3", 3), ("0.25", 0.25), (".5", 0.5), ("1e1", 10), ("-6dB", -6), ("60", 60),
      ("-120", -120),
    ])
  func numbers(text: String, expected: Double) throws {
    #expect(try parse(["--gain", text], command).number("gain") == expected)
  }

  @Test("A list keeps its order and each word once")
  func lists() throws {
    #expect(try parse(["--observe", "mixed,record,mixed"], command).list("observe") == ["mixed", "record"])
    #expect(try parse([], command).list("observe") == [])
  }

  @Test(
    "each mistake is one sentence with the remedy and exit code 64",
    arguments: [
      (["--gian", "3"], "unknown option '--gian'; did you mean '--gain'?"),
      (["--pitch"], "unknown option '--pitch'; 'audiopipe test --help' lists the options"),
      (["--=x"], "unknown option '--'; 'audiopipe test --help' lists the options"),
      (["-x"], "unknown option '-x'; 'audiopipe test --help' lists the options"),
      (["-gain"], "unknown option '-g'; did you mean '--gain'?"),
      (["-take.wav"], "unknown option '-t'; write './-take.wav' for a file"),
      (["--take.wav"], "unknown option '--take.wav'; write './--take.wav' for a file"),
      (["--output"], "option '--output' needs a value: --output FILE"),
      (["-o"], "option '--output' needs a value: --output FILE"),
      (["-o", "--all", "in"], "option '--output' needs a value: --output FILE"),
      (["-o", "-a", "in"], "option '--output' needs a value: --output FILE"),
      (["-o", "--gain=3", "in"], "option '--output' needs a value: --output FILE"),
      (["-o", "--", "in"], "option '--output' needs a value: --output FILE"),
      (["--output="], "option '--output' was given an empty value; it needs a file"),
      (["--all=yes"], "option '--all' takes no value, but was given 'yes'; write --all alone"),
      (["-o", "x", "--output", "y"], "option '--output' was given more than once; give it one time"),
      (["-aa"], "option '--all' was given more than once; give it one time"),
      (["--gain", "loud"], "option '--gain' cannot take 'loud'; it needs a number of dB from -120 to 60"),
      (["--gain", "nan"], "option '--gain' cannot take 'nan'; it needs a number of dB from -120 to 60"),
      (["--gain", "inf"], "option '--gain' cannot take 'inf'; it needs a number of dB from -120 to 60"),
      (["--gain", "0x10"], "option '--gain' cannot take '0x10'; it needs a number of dB from -120 to 60"),
      (["--gain", "1e999"], "option '--gain' cannot take '1e999'; it needs a number of dB from -120 to 60"),
      (["--gain", "61"], "option '--gain' cannot take '61'; it needs a number of dB from -120 to 60"),
      (["--gain", "dB"], "option '--gain' cannot take 'dB'; it needs a number of dB from -120 to 60"),
      (["--count", "1.5"], "option '--count' cannot take '1.5'; it needs a whole number from 0 to 400"),
      (["--count", "401"], "option '--count' cannot take '401'; it needs a whole number from 0 to 400"),
      (["-n-1"], "option '--count' cannot take '-1'; it needs a whole number from 0 to 400"),
      (["--level", "ifno"], "option '--level' cannot take 'ifno'; did you mean 'info'?"),
      (["--level", "loud"], "option '--level' cannot take 'loud'; it needs one of error, info"),
      (["--observe", "recrod"], "option '--observe' cannot take 'recrod'; did you mean 'record'?"),
      (
        ["--observe", "record,"],
        "option '--observe' cannot take ''; it needs a comma-separated list of record, mixed"
      ),
    ])
  func mistakes(words: [String], sentence: String) {
    #expect(failure { _ = try parse(words, command) } == .usage(sentence))
  }

  @Test(
    "The number of operands is checked",
    arguments: [
      ([], "'audiopipe test' needs IN...; 'audiopipe test --help' shows how"),
      (
        ["a", "b", "c"],
        "'audiopipe test' does not know what to do with 'c'; 'audiopipe test --help' shows how"
      ),
      ([""], "an operand of 'audiopipe test' is empty; 'audiopipe test --help' shows how"),
      (["a"], nil), (["a", "b"], nil),
    ] as [([String], String?)])
  func operandCounts(words: [String], sentence: String?) throws {
    let parser = ArgumentParser(command: command)
    let parsed = try parser.parse(words)
    #expect(failure { try parser.checkOperands(of: parsed) } == sentence.map(CommandFailure.usage))
  }

  @Test("A command without operands refuses them")
  func noOperands() throws {
    let parser = ArgumentParser(command: DoctorCommand.declaration)
    let parsed = try parser.parse(["x"])
    let sentence =
      "'audiopipe doctor' takes no operand, but was given 'x'; 'audiopipe doctor --help' shows how"
    #expect(failure { try parser.checkOperands(of: parsed) } == .usage(sentence))
  }

  @Test(
    "A file may hold colons: it ends at the first key that is declared",
    arguments: [
      ("a.wav", "a.wav", [:]),
      ("a.wav:gain=-3:pan=0.5", "a.wav", ["gain": -3, "pan": 0.5]),
      ("12:30:05.wav:at=2.5", "12:30:05.wav", ["at": 2.5]),
      ("x:take=2.wav:gain=1dB", "x:take=2.wav", ["gain": 1]),
      ("a:b", "a:b", [:]),
      ("c:pan", "c:pan", [:]),
    ] as [(String, String, [String: Double])])
  func keyed(text: String, head: String, numbers: [String: Double]) throws {
    let value = try #require(try parse(["--user", text], command).keyed("user").first)
    #expect(value.head == head)
    #expect(value.values == numbers.mapValues { .number($0) })
  }

  @Test(
    "Each mistake inside a value with keys is one sentence",
    arguments: [
      (["--user", "a.wav:gian=3"], "option '--user' has no key 'gian'; did you mean 'gain'?"),
      (["--user", "a.wav:gain=3:pna=1"], "option '--user' has no key 'pna'; did you mean 'pan'?"),
      (["--user", "a.wav:gain=3:loud=1"], "option '--user' has no key 'loud'; the keys are gain, pan, at"),
      (["--user", "a.wav:loops=2"], "option '--user' has no key 'loops'; the keys are gain, pan, at"),
      (["--user", "a.wav:gain=3:pan"], "key 'pan' of option '--user' needs a value: pan=-1...1"),
      (["--user", "a.wav:gain=3:at"], "key 'at' of option '--user' needs a value: at=s"),
      (
        ["--user", "a.wav:pan=2"],
        "key 'pan' of option '--user' cannot take '2'; it needs a number from -1 to 1"
      ),
      (
        ["--user", "a.wav:pan="],
        "key 'pan' of option '--user' was given an empty value; it needs a number from -1 to 1"
      ),
      (
        ["--user", "a.wav:pan=0:pan=1"], "option '--user' has the key 'pan' more than once; give it one time"
      ),
      (["--user", ":gain=3"], "option '--user' names no file; it needs FILE[:gain=dB][:pan=-1...1][:at=s]"),
      (["--codec", "ops"], "option '--codec' cannot take 'ops'; did you mean 'opus'?"),
      (["--codec", "mp3"], "option '--codec' cannot take 'mp3'; it needs 'opus'"),
      (["--codec", "opus:fec=1"], "key 'fec' of option '--codec' takes no value, but was given '1'"),
      (
        ["--codec", "opus:frame=15"],
        "key 'frame' of option '--codec' cannot take '15'; it needs one of 10, 20"
      ),
      (["--codec", "opus:bitrat=9"], "option '--codec' has no key 'bitrat'; did you mean 'bitrate'?"),
      (["--codec", "opus:"], "option '--codec' has no key ''; the keys are bitrate, complexity, frame, fec"),
    ])
  func keyedMistakes(words: [String], sentence: String) {
    #expect(failure { _ = try parse(words, command) } == .usage(sentence))
  }
}
