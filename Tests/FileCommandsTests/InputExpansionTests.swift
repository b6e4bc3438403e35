import CommandTestSupport
import TestSupport
import Testing

@testable import CommandLineKit
@testable import Commands
@testable import FileCommands
@testable import SoundOptions

@Suite("InputExpansion", .timeLimit(.minutes(10)))
struct InputExpansionTests {
  @Test("a glob gives sorted files, and a file named like a glob is itself", .shows("process: inputs"))
  func globs() throws {
    let folder = try TemporaryFolder()
    for name in ["b.wav", "a.wav", "[x].wav"] { try folder.write(name) }
    let path = folder.path
    #expect(
      try InputExpansion.expand(["\(path)/[ab].wav"]) == [.file("\(path)/a.wav"), .file("\(path)/b.wav")])
    #expect(try InputExpansion.expand(["\(path)/[x].wav"]) == [.file("\(path)/[x].wav")])
    #expect(try InputExpansion.expand(["\(path)/?.wav", "plain"]).count == 3)
  }

  @Test("A glob without files is exit code 66")
  func emptyGlob() throws {
    let folder = try TemporaryFolder()
    for pattern in ["\(folder.path)/*.wav", "\(folder.path)/nowhere/*.wav"] {
      #expect(
        failure { _ = try InputExpansion.expand([pattern]) }
          == CommandFailure(.noInput, "no file matches '\(pattern)'; check the folder and the pattern"))
    }
  }

  @Test("A list names one path a line, of either line ending, and - for stdin", .shows("process: inputs"))
  func lists() throws {
    let folder = try TemporaryFolder()
    let list = try folder.write("list.txt", Array("a b.wav\r\n\n  \n*.wav\n-\nlast".utf8))
    #expect(
      try InputExpansion.expand(["first", "@\(list)"])
        == [.file("first"), .file("a b.wav"), .file("*.wav"), .standardInput, .file("last")])
    #expect(try InputExpansion.expand(["@"]) == [.file("@")])
  }

  @Test("A list that is missing, empty, too long or no text is one sentence")
  func badLists() throws {
    let folder = try TemporaryFolder()
    let empty = try folder.write("empty.txt", Array("\n\n".utf8))
    let binary = try folder.write("binary.txt", [82, 0, 1, 10])
    let missing = folder.path + "/none.txt"
    let cases: [(String, ExitCode, String)] = [
      (
        missing, .noInput,
        "cannot read the list of inputs '\(missing)': No such file or directory; check the name and its permissions"
      ),
      (
        folder.path, .noInput,
        "cannot read the list of inputs '\(folder.path)': Is a directory; check the name and its permissions"
      ),
      (empty, .badData, "the list of inputs '\(empty)' names no file; write one path a line"),
      (binary, .badData, "the list of inputs '\(binary)' is not text; it should hold one path a line"),
      (
        "/dev/zero", .badData,
        "the list of inputs '/dev/zero' is longer than 16 MiB; it should hold one path a line"
      ),
    ]
    for (path, code, sentence) in cases {
      #expect(failure { _ = try InputExpansion.expand(["@" + path]) } == CommandFailure(code, sentence))
    }
  }
}
