import CommandTestSupport
import Foundation
import Testing

@Suite("early refusals", .timeLimit(.minutes(10)))
struct EarlyRefusalTests {
  private static let voice = Signals.wave(
    "s16", rate: 8_000, channels: 1, Signals.sine(440, rate: 8_000, seconds: 0.2, amplitude: 0.5))

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    return folder
  }

  @Test(
    "an unwritable result is refused with 73, also by a dry run",
    arguments: [
      ("-o zz.wav --report nodir/r.json", "directory"), ("-o zz.wav --csv nodir/t.csv", "directory"),
      ("-o zz.wav --report in.wav/r.json", "directory"), ("-o nodir/a.wav", "directory"),
      ("--out-dir no/dir", "no/dir"), ("--out-dir in.wav", "in.wav"),
      ("-o zz.wav --report blocked.json", "blocked.json"), ("-o blocked.wav", "blocked.wav"),
      ("-o .", "this is a directory"), ("-o ./", "this is a directory"),
      ("-o . --format wav", "this is a directory"),
    ])
  func impossible(options: String, words: String) throws {
    let folder = try folder()
    for name in ["blocked.json.part", "blocked.wav.part"] {
      try FileManager.default.createDirectory(atPath: folder[name], withIntermediateDirectories: false)
    }
    for ending in ["", " --dry-run", " --overwrite"] {
      let ending = try Tool.call("process in.wav \(options)" + ending, in: folder)
      #expect(ending.status == 73 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
      #expect(ending.errors.contains(words) && !folder.has("zz.wav") && !folder.has("zz.wav.part"), "\(ending.errors)")
    }
  }

  @Test("an output without -o is refused with a hint, before anything is read")
  func outputWithoutOption() throws {
    let folder = try folder()
    let ending = try Tool.call("process in.wav out.wav", in: folder)
    #expect(ending.status == 64 && ending.errors.contains("write -o out.wav"), "\(ending.errors)")
    // A missing file beside others is one of them.
    #expect(try Tool.call("process in.wav out.txt", in: folder).status == 1)
    #expect(try Tool.call("process missing.wav out.wav", in: folder).status != 64)
  }

  @Test("an unwritable table of analyze is refused before analysis")
  func table() throws {
    let folder = try folder()
    let ending = try Tool.call("analyze in.wav --volume --csv nodir/t.csv --json", in: folder)
    #expect(ending.status == 73 && ending.output.isEmpty && ending.errors.contains("directory"), "\(ending.errors)")
  }

  /// Root writes everywhere: the test then needs another user, who can reach the executable.
  private static let other: String? = {
    if geteuid() != 0 { return "" }
    let other = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    guard let folder = try? Workspace() else { return nil }
    return (try? Tool.shell("\(other) $A --version", in: folder))?.status == 0 ? other : nil
  }()

  @Test(
    "a folder without write permission is refused before the job",
    .enabled(if: other != nil, "there is no other user to be"),
    arguments: ["-o in.wav.wav", "-o /dev/null --format wav --report r.json", "--csv t.csv", "--out-dir new"])
  func permission(options: String) throws {
    let folder = try folder()
    for ending in ["", "--dry-run"] {
      let line = "chmod 555 .; \(Self.other ?? "") $A process in.wav \(options) --json \(ending)"
      let run = try Tool.shell(line + "; s=$?; chmod 755 .; exit $s", in: folder)
      #expect(run.status == 73 && run.output.isEmpty && run.failures.count == 1, "\(run.status) \(run.errors)")
    }
  }

  @Test("sound for a terminal is refused before a progress bar is drawn")
  func terminal() throws {
    let ending = try Tool.shell("script -qec \"$A process in.wav -o -\" /dev/null", in: try folder())
    #expect(ending.status == 64 && ending.text.contains("stdout is a terminal"), "\(ending.text)")
    #expect(ending.text.split(separator: "\n").count == 1 && !ending.text.contains("%"), "\(ending.text)")
  }

  @Test("A dry run knows the folder that would be made, and makes none")
  func newFolder() throws {
    let folder = try folder()
    let line = "process in.wav --out-dir new --report new/r.json --csv ./new/t.csv"
    let ending = try Tool.call(line + " --dry-run", in: folder)
    #expect(ending.status == 0 && ending.errors.isEmpty && !folder.has("new"), "\(ending.errors)")
    let run = try Tool.call(line, in: folder)
    #expect(run.status == 0 && folder.has("new/in.wav") && folder.has("new/r.json"), "\(run.errors)")
  }
}
