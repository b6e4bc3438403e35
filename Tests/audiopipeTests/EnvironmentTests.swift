import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("environment of the shell", .timeLimit(.minutes(10)))
struct EnvironmentTests {
  private static let voice = Signals.wave(
    "s16", rate: 48_000, channels: 2, Signals.sine(440, rate: 48_000, seconds: 2, amplitude: 0.5))

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    return folder
  }

  @Test(
    "Closed descriptors leave the output as it should be",
    arguments: [
      ("0<&- 1>&-", "--observe mixed --observe-cmd cat"), ("0<&- 1>&-", "--observe mixed --filter-cmd cat"),
      ("0<&-", "--observe mixed --observe-cmd cat"), ("0<&- 1>&- 2>&-", "--observe mixed --observe-cmd cat"),
      ("1>&- 2>&-", "--observe mixed --observe-cmd 'cat >&2'"), ("0<&- 1>&- 2>&-", "--json-lines -v"),
      ("1>&-", "--json-lines"), ("2>&-", "-v"),
    ])
  func closed(descriptors: String, options: String) throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "(exec \(descriptors); exec $A process in.wav -o g.wav \(options); ); echo $? > status", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try #require(Wave(try folder.read("g.wav"))).data == Self.voice.data)
    #expect(try Tool.run("process in.wav -o plain.wav", in: folder).status == 0)
    #expect(try folder.read("g.wav") == folder.read("plain.wav") && !folder.has("g.wav.part"))
  }

  @Test(
    "no bar is drawn between lines of JSON on a terminal",
    .enabled(if: isInstalled("script"), "script is not installed"),
    arguments: [("", true), ("--json-lines", false)])
  func terminal(option: String, hasBar: Bool) throws {
    let ending = try Tool.shell(
      "TERM=xterm script -qec \"$A process in.wav -o out.wav \(option)\" /dev/null < /dev/null", in: try folder())
    #expect(ending.output.contains(0x1B) == hasBar, "\(ending.text)")
    #expect(ending.text.contains("\"event\":") != hasBar, "\(ending.text)")
  }

  @Test(
    "a closed stdout exits with 74, a closed stdin with 66",
    arguments: [("process in.wav --json 1>&-", 74), ("process in.wav -o - 1>&-", 74), ("process - -o x.wav 0<&-", 66)])
  func needed(line: String, status: Int32) throws {
    let ending = try Tool.shell("$A \(line)", in: try folder())
    #expect(ending.status == status && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    let words = line.contains("--json") ? "stdout is closed" : "Bad file descriptor"
    #expect(ending.errors.contains(words), "\(ending.errors)")
  }

  /// Begins a line that runs with a limit of KiB for files: the signal is neither blocked nor ignored, as from a
  /// terminal.
  private func limited(_ size: Int) -> String {
    "ulimit -f \(size); exec perl -MPOSIX "
      + "-e 'sigprocmask(SIG_SETMASK, POSIX::SigSet->new); $SIG{XFSZ} = \"DEFAULT\"; exec @ARGV' $A"
  }

  @Test("a file at the size limit ends the job with 74 and a valid part")
  func sizeLimit() throws {
    let folder = try folder()
    let ending = try Tool.shell("\(limited(100)) process in.wav -o f.wav", in: folder)
    #expect(ending.status == 74 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains("ulimit -f"), "\(ending.errors)")
    #expect(ending.errors.contains("what was written is valid and stays as f.wav.part;"), "\(ending.errors)")
    let written = try #require(Wave(try folder.read("f.wav.part")))
    #expect(written.data.count > 90_000 && Self.voice.data.starts(with: written.data) && !folder.has("f.wav"))
    let report = try Tool.shell("\(limited(1)) process in.wav --report r.json", in: folder)
    #expect(report.status == 74 && !folder.has("r.json") && !folder.has("r.json.part"), "\(report.errors)")
    #expect(report.errors.contains("as large as it may be; raise the limit"), "\(report.errors)")
  }

  @Test("a compressed file at the size limit is not called valid", arguments: ["flac", "mp3"])
  func compressedLimit(kind: String) throws {
    let folder = try folder()
    let ending = try Tool.shell("\(limited(2)) process in.wav -o f.\(kind)", in: folder)
    #expect(ending.status == 74 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(!ending.errors.contains("valid") && !folder.has("f.\(kind)"), "\(ending.errors)")
    #expect(ending.errors.contains("f.\(kind).part stays, but is not whole;") && folder.has("f.\(kind).part"))
  }

  @Test("a dumb terminal gets no progress bar", .shows("colour"), arguments: ["dumb", ""])
  func dumbTerminal(terminal: String) throws {
    let folder = try folder()
    let line = "script -qec \"$A process in.wav -o out.wav\" /dev/null"
    let ending = try Tool.shell("TERM='\(terminal)' \(line)", in: folder)
    #expect(ending.status == 0 && !ending.text.contains("\u{1B}") && !ending.text.contains("%"), "\(ending.text)")
    let other = try Tool.shell("rm out.wav; TERM=xterm \(line)", in: folder)
    #expect(other.text.contains("\u{1B}[K") && other.text.contains("100 %"), "\(other.text)")
  }

  @Test("A program that is started is ended by the limit, as it would be alone")
  func inherited() throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "\(limited(100)) process in.wav --observe mixed --observe-cmd 'exec cat > big'", in: folder)
    #expect(ending.status == 74 && ending.errors.contains("signal \(SIGXFSZ)"), "\(ending.errors)")
  }
}
