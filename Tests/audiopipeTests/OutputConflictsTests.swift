import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("output conflicts", .timeLimit(.minutes(10)))
struct OutputConflictsTests {
  private static let voice = Signals.wave(
    "s16", rate: 8_000, channels: 1, Signals.sine(440, rate: 8_000, seconds: 0.1, amplitude: 0.5))
  private static let names = ["in.wav", "b.wav", "l.wav", "m.wav", "e.wav", "t.volume.wav", "y.wav.part", "x.wav.part"]

  /// Files, a list of them, and other names for them.
  private func folder() throws -> Workspace {
    let folder = try Workspace()
    for name in Self.names { try folder.write(name, Self.voice.file()) }
    for name in ["lst", "lst.volume"] { try folder.write(name, Array("in.wav\n".utf8)) }
    let manager = FileManager.default
    try manager.linkItem(atPath: folder["b.wav"], toPath: folder["hard.wav"])
    try manager.createSymbolicLink(atPath: folder["soft.wav"], withDestinationPath: "l.wav")
    try manager.createDirectory(atPath: folder["sub"], withIntermediateDirectories: false)
    try manager.createSymbolicLink(atPath: folder["here"], withDestinationPath: ".")
    return folder
  }

  @Test(
    "a result that would replace an input or a result is refused with 64",
    .shows("overwrite"),
    arguments: [
      "process in.wav --user b.wav --report b.wav", "process in.wav --local t.volume.wav --csv t.wav",
      "process in.wav --mix m.wav --report m.wav",
      "process in.wav --effect 7=t.volume.wav --csv t.wav",
      "process in.wav --report ./in.wav", "process t.volume.wav --csv sub/../t.wav",
      "process in.wav --report here/in.wav",
      "process in.wav --user b.wav --report hard.wav", "process in.wav --local l.wav --report soft.wav",
      "process @lst --report lst", "process @lst.volume --csv ./lst", "process @lst -o y.wav --report in.wav",
      "process in.wav -o y.wav --report ./y.wav", "process in.wav -o y.volume.wav --csv here/y.wav",
      "process in.wav --report r.volume --csv sub/../r", "process in.wav -o new/y.wav --report ./new/y.wav",
      "process y.wav.part -o y.wav --format wav", "process in.wav --user x.wav.part --report x.wav",
      "process in.wav -o z.wav --report z.wav.part", "process in.wav -o ./in.wav",
      "process in.wav --user b.wav -o hard.wav", "process in.wav --local l.wav -o l.wav",
      "process in.wav --mix m.wav -o m.wav", "process in.wav --effect 7=e.wav -o e.wav",
      "process @lst -o lst --format wav", "process in.wav b.wav --out-dir .", "process in.wav sub/in.wav --out-dir sub",
      "analyze in.wav --volume --csv ./in.wav", "analyze @lst --volume --csv here/lst",
      "analyze b.wav --volume --csv hard.wav", "analyze x.wav.part --volume --csv x.wav",
    ])
  func refused(line: String) throws {
    let folder = try folder()
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    let ending = try Tool.call(line + " --overwrite", in: folder)
    #expect(ending.status == 64, "\(ending.status) \(ending.errors)")
    #expect(ending.failures.count == 1 && ending.errors.split(separator: "\n").count == 1, "\(ending.errors)")
    for name in Self.names { #expect(try folder.read(name) == Self.voice.file(), "\(name)") }
    for name in ["lst", "lst.volume"] { #expect(try folder.read(name) == Array("in.wav\n".utf8)) }
    let after = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(after.filter { !$0.hasSuffix(".stdout") && !$0.hasSuffix(".stderr") }.sorted() == before)
  }

  @Test("inputs through a shell's redirection are protected as well")
  func streams() throws {
    let folder = try folder()
    let input = try Tool.shell("$A process - --report in.wav --overwrite < in.wav", in: folder)
    #expect(input.status == 64 && input.failures.count == 1, "\(input.errors)")
    let output = try Tool.shell("$A process b.wav -o - >> hard.wav", in: folder)
    #expect(output.status == 64 && output.failures.count == 1, "\(output.errors)")
    #expect(try folder.read("in.wav") == Self.voice.file() && folder.read("b.wav") == Self.voice.file())
  }

  @Test(
    "Files that only look alike are written",
    arguments: [
      "process in.wav -o sub/in.wav --report sub/b.wav --csv sub/in.wav.csv", "process in.wav --out-dir sub",
      "process in.wav --user in.wav -o y.wav", "process in.wav.part -o y.wav --dry-run",
      "process in.wav -o /dev/null --format wav --report r.json",
    ])
  func allowed(line: String) throws {
    let folder = try folder()
    try folder.write("in.wav.part", Self.voice.file())
    let ending = try Tool.call(line + " --overwrite", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
  }
}
