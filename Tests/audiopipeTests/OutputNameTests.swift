import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("Names of outputs", .timeLimit(.minutes(10)))
struct OutputNameTests {
  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write(
      "in.wav",
      Signals.wave("s16", rate: 8_000, channels: 1, Signals.sine(440, rate: 8_000, seconds: 0.5, amplitude: 0.5)).file()
    )
    return folder
  }

  @Test("a new output folder without outputs is removed, an old one is kept", .shows("outputs: names"))
  func emptyFolder() throws {
    let folder = try folder()
    try folder.write("bad.wav", [1, 2, 3])
    for name in ["new", "new/"] {
      let ending = try Tool.call("process bad.wav missing.wav --out-dir \(name)", in: folder)
      #expect(ending.status == 1 && !folder.has("new"), "\(ending.errors)")
    }
    try FileManager.default.createDirectory(atPath: folder["old"], withIntermediateDirectories: false)
    #expect(try Tool.call("process bad.wav missing.wav --out-dir old", in: folder).status == 1 && folder.has("old"))
    #expect(try Tool.call("process bad.wav in.wav --out-dir new", in: folder).status == 1 && folder.has("new/in.wav"))
  }

  @Test(
    "a folder that cannot be made is named with its own reason", .shows("outputs: names"),
    arguments: [
      ("new/deep", "the folder above it does not exist"), ("in.wav", "a file has that name"),
      ("in.wav/deep", "a file has that name"),
    ])
  func impossibleFolder(name: String, words: String) throws {
    let folder = try folder()
    let ending = try Tool.call("process in.wav --out-dir \(name)", in: folder)
    #expect(ending.status == 73 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains("\(name): ") && ending.errors.contains(words), "\(ending.errors)")
  }

  @Test(
    "a dangling symbolic link is refused with 73 and kept", .shows("outputs: names"),
    arguments: [
      "process in.wav -o link", "process in.wav -o link --dry-run", "process in.wav --report link",
      "process in.wav --report link --dry-run", "analyze in.wav --volume --csv link",
      "simulate --user 1=in.wav --user 2=in.wav --mixed-out link",
    ], ["", " --overwrite"])
  func danglingLink(line: String, option: String) throws {
    let folder = try folder()
    let format = line.contains("-o") && !line.contains("simulate") ? " --format wav" : ""
    let ending = try Tool.shell(
      "ln -s gone link; $A \(line)\(format)\(option); s=$?; readlink link; exit $s", in: folder)
    #expect(ending.status == 73 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains("link: this is a symbolic link that leads to no file"), "\(ending.errors)")
    #expect(ending.text == "gone\n" && !folder.has("gone"))
  }

  /// How this machine lets a test mount something, if it does.
  private static let namespace: String? = {
    guard let folder = try? Workspace() else { return nil }
    return ["unshare -Urm", "unshare -m"].first { words in
      (try? Tool.shell("touch a b; \(words) mount --bind a b", in: folder))?.status == 0
    }
  }()

  @Test(
    "a failed rename keeps written sound and removes a report", .shows("outputs: names"),
    .enabled(if: namespace != nil))
  func renaming() throws {
    let folder = try folder()
    // What is mounted cannot be replaced, though it can be written.
    let script = """
      touch a r.json o.wav; \(Self.namespace!) bash -c "mount --bind a r.json; mount --bind a o.wav
      '\(Tool.path)' process in.wav --report r.json --overwrite; echo \\$? > status
      '\(Tool.path)' process in.wav -o o.wav --overwrite; echo \\$? >> status"
      """
    let ending = try Tool.shell(script, in: folder)
    #expect(String(decoding: try folder.read("status"), as: UTF8.self) == "73\n73\n", "\(ending.errors)")
    #expect(ending.failures.count == 2 && !folder.has("r.json.part"), "\(ending.errors)")
    #expect(ending.errors.contains("what was written is valid and stays as"), "\(ending.errors)")
    #expect(try #require(Wave(try folder.read("o.wav.part"))).frames == 4_000)
  }
}
