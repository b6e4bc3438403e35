import CommandTestSupport
import TestSupport
import Testing

@testable import CommandLineKit
@testable import Commands
@testable import FileCommands
@testable import SoundOptions

private let commands =
  CommandTable.commands.map(\.declaration)

@Suite("HelpText", .timeLimit(.minutes(10)))
struct HelpTextTests {
  @Test("Help starts with two or three examples, and lists every option", .shows("help"), arguments: commands.indices)
  func contents(index: Int) {
    let command = commands[index]
    let text = HelpText(columnCount: 80, style: .plain).text(of: command)
    #expect(text.hasPrefix("Examples:\n  "))
    #expect((2...3).contains(command.examples.count))
    for option in command.options { #expect(text.contains("--\(option.name)")) }
  }

  @Test("No line is wider than the terminal, unless a single word is", arguments: [40, 60, 80, 100])
  func width(columnCount: Int) {
    let help = HelpText(columnCount: columnCount, style: .plain)
    let texts = commands.map(help.text) + [help.overview(of: commands, program: CommandTable.program)]
    for line in texts.joined().split(separator: "\n") where line.contains(" ") {
      let isOneTerm = line.hasPrefix("      --") || line.hasPrefix("  -")
      let isOneWord = line.split(separator: " ").filter { $0 != "\\" }.count == 1
      #expect(line.count <= columnCount || isOneTerm || isOneWord, "\(line)")
    }
  }

  @Test("help lines are at most 100 columns wide on a wide terminal")
  func limits() {
    let wide = HelpText(columnCount: 500, style: .plain).text(of: ProcessDeclaration.process)
    #expect(wide == HelpText(columnCount: 100, style: .plain).text(of: ProcessDeclaration.process))
  }

  @Test("Every example of process and graph is accepted as it stands", .shows("help"))
  func examples() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.wav")
    for command in [ProcessDeclaration.process, ProcessDeclaration.graph] {
      for example in command.examples {
        let words = example.split(separator: " ").prefix { $0 != "|" }.map {
          $0 == "'takes/*.wav'" ? "\(folder.path)/*.wav" : String($0)
        }
        #expect(words.starts(with: ["audiopipe", command.name]))
        let parsed = try parse(Array(words.dropFirst(2)), command)
        if command.name == "graph" { _ = try GraphOptions(parsed) } else { _ = try ProcessOptions(parsed) }
      }
    }
  }

  @Test("Every example of analyze is accepted as it stands")
  func analyzeExamples() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.wav")
    for example in AnalyzeDeclaration.analyze.examples {
      let words = example.split(separator: " ").drop { $0 != "audiopipe" }.prefix { $0 != "|" }.map {
        $0 == "'takes/*.wav'" ? "\(folder.path)/*.wav" : String($0)
      }
      #expect(words.starts(with: ["audiopipe", "analyze"]))
      _ = try AnalyzeOptions(parse(Array(words.dropFirst(2)), AnalyzeDeclaration.analyze))
    }
  }

  @Test("names are declared once, and examples have the command's invocation")
  func declarations() {
    for command in commands {
      #expect(Set(command.options.map(\.name)).count == command.options.count)
      let letters = command.options.compactMap(\.short)
      #expect(Set(letters).count == letters.count)
      #expect(command.examples.allSatisfy { $0.contains(command.invocation) })
      for option in command.options { #expect(!option.help.hasSuffix(".")) }
    }
  }

  @Test("Text is broken at spaces only")
  func wrapping() {
    #expect(TextWrapper.wrap("aa bb  cc ddddddd e", width: 5) == ["aa bb", "cc", "ddddddd", "e"])
    #expect(TextWrapper.wrap("", width: 5) == [])
    #expect(
      TextWrapper.definition("  -x", "one two three", column: 8, width: 16)
        == "  -x    one two\n        three\n")
    #expect(TextWrapper.definition("  --long", "one", column: 8, width: 16) == "  --long\n        one\n")
  }
}
