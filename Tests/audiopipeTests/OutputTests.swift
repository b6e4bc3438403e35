import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("process and its outputs", .timeLimit(.minutes(10)))
struct OutputTests {
  private static let voice = Signals.wave(
    "s16", rate: 48_000, channels: 2, Signals.sine(440, rate: 48_000, seconds: 2, amplitude: 0.5))

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    return folder
  }

  @Test(
    "A file that exists is only replaced with --overwrite", .shows("overwrite"),
    arguments: ["-o x.wav", "--report x.json", "--csv x.csv", "-o x.wav --dry-run", "-o x.wav --format flac"])
  func existing(option: String) throws {
    let folder = try folder()
    let name = option.contains("--csv") ? "x.volume.csv" : option.contains("--report") ? "x.json" : "x.wav"
    try folder.write(name, [1, 2, 3])
    let ending = try Tool.call("process in.wav \(option)", in: folder)
    #expect(ending.status == 73 && ending.failures.count == 1 && ending.errors.contains(name), "\(ending.errors)")
    #expect(ending.errors.contains("--overwrite"))
    #expect(try folder.read(name) == [1, 2, 3] && !folder.has(name + ".part"))
    #expect(try Tool.call("process in.wav \(option) --overwrite", in: folder).status == 0)
    #expect(try (folder.read(name) == [1, 2, 3]) == option.contains("--dry-run"))
  }

  @Test(
    "an extension that contradicts --format has one warning", .shows("process: outputs"),
    arguments: [
      ("mo.wav", "flac", 1), ("mo.wav", "wav", 0), ("mo.WAVE", "wav", 0), ("mo.x", "flac", 0), ("mo", "flac", 0),
      ("mo.aif", "aiff", 0), ("mo.ogg", "opus", 0), ("mo.opus", "ogg", 1), ("/dev/null", "wav", 0),
    ])
  func misleadingName(path: String, format: String, warnings: Int) throws {
    let folder = try folder()
    for options in ["--dry-run", ""] {
      let ending = try Tool.call("process in.wav -o \(path) --format \(format) --rate 48000 \(options)", in: folder)
      #expect(ending.status == 0 && ending.warnings.count == warnings, "\(ending.errors)")
      #expect(warnings == 0 || ending.errors.contains("\(path): the name says"), "\(ending.errors)")
    }
    #expect(path.hasPrefix("/") || folder.has(path))
  }

  @Test(
    "the rest of a killed run is replaced only with --overwrite", .shows(".part"),
    arguments: [
      ("-o x.wav", "x.wav"), ("-o x.flac", "x.flac"), ("--report x.json", "x.json"), ("-o x.wav --dry-run", "x.wav"),
      ("-o x.wav --csv x.csv", "x.volume.csv"),
    ])
  func unfinished(options: String, name: String) throws {
    let folder = try folder()
    try folder.write(name + ".part", [1, 2, 3])
    let ending = try Tool.call("process in.wav \(options)", in: folder)
    #expect(ending.status == 73 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains("\(name).part is there already") && ending.errors.contains("--overwrite"))
    #expect(try folder.read(name + ".part") == [1, 2, 3] && !folder.has("x.wav"))
    #expect(try Tool.call("process in.wav \(options) --overwrite", in: folder).status == 0)
    #expect(folder.has(name) != options.contains("--dry-run"))
    // Nothing is lost with an empty one, or one that has no more than its header.
    for left in [[], Array(try folder.read("in.wav").prefix(44))] {
      try folder.write("y\(left.count).wav.part", left)
      #expect(try Tool.call("process in.wav -o y\(left.count).wav", in: folder).status == 0)
    }
  }

  @Test(
    "An output that cannot be made is refused with 73", .shows("exit codes"),
    arguments: [
      ("nowhere/x.wav", "directory"), ("sub", "directory"), ("in.wav/x.wav", "directory"),
      // 255 bytes are a name that there may be, but not with .part behind it.
      (String(repeating: "a", count: 251) + ".wav", "the name is too long: while it is written"),
      ("blocked.wav", "blocked.wav.part, under which"), ("linked.wav", "linked.wav.part, under which"),
    ])
  func impossible(path: String, words: String) throws {
    let folder = try folder()
    for name in ["sub", "blocked.wav.part"] {
      try FileManager.default.createDirectory(atPath: folder[name], withIntermediateDirectories: false)
    }
    symlink("nowhere.wav", folder["linked.wav.part"])
    let ending = try Tool.call("process in.wav -o \(path) --format wav", in: folder)
    #expect(ending.status == 73 && ending.failures.count == 1 && ending.errors.contains(words), "\(ending.errors)")
  }

  @Test(
    "Every kind of file is written, and other programs read its length", .shows("process: outputs"),
    arguments: ["wav", "w64", "aiff", "au", "caf", "flac", "ogg", "opus", "mp3"])
  func containers(name: String) throws {
    let folder = try folder()
    // ffmpeg leaves out the beginning of a short Vorbis stream, sox reads no W64.
    let decoder = name == "ogg" ? "sox x.ogg -b 16 -e signed -t raw -" : "ffmpeg -v error -i x.\(name) -f s16le -"
    let ending = try Tool.shell("$A process in.wav -o x.\(name) && \(decoder)", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let frames = ending.output.count / 4
    // An MP3 is padded to whole frames, at both ends.
    #expect(name == "mp3" ? abs(frames - Self.voice.frames) < 4_000 : frames == Self.voice.frames, "\(frames)")
    if !["ogg", "opus", "mp3"].contains(name) { #expect(ending.output == Self.voice.data) }
  }

  /// How this machine lets a test mount a small disk, if it does.
  private static let namespace: String? = {
    guard let folder = try? Workspace() else { return nil }
    return ["unshare -Urm", "unshare -m"].first { words in
      let line = "mkdir -p d; \(words) mount -t tmpfs -o size=1m none d"
      return (try? Tool.shell(line, in: folder))?.status == 0
    }
  }()

  @Test(
    "a full disk ends the job with 74 and a valid part", .shows("disk full"),
    .enabled(if: namespace != nil))
  func diskFull() throws {
    let folder = try folder()
    try folder.write(
      "long.wav",
      Wave(
        format: "s16", rate: 48_000, channels: 2,
        data: Array(
          repeating: Self.voice.data, count: 10
        ).flatMap { $0 }
      ).file())
    let script = """
      mkdir d; \(Self.namespace!) bash -c "mount -t tmpfs -o size=1m none d
      '\(Tool.path)' process long.wav -o d/out.wav; echo \\$? > status; cp d/* ."
      """
    let ending = try Tool.shell(script, in: folder)
    #expect(String(decoding: try folder.read("status"), as: UTF8.self) == "74\n", "\(ending.errors)")
    #expect(ending.failures.count == 1 && ending.errors.contains("the disk is full"), "\(ending.errors)")
    let written = try #require(Wave(try folder.read("out.wav.part")))
    let expected = Array(repeating: Self.voice.data, count: 10).flatMap { $0 }
    #expect(written.data.count > 900_000 && expected.starts(with: written.data))
    #expect(!folder.has("out.wav"))
  }

  @Test(
    "a full disk ends a picture with 74 and leaves no part", .shows("disk full"),
    .enabled(if: namespace != nil),
    arguments: ["svg", "png"])
  func diskFullForPicture(kind: String) throws {
    let folder = try folder()
    let script = """
      mkdir d; \(Self.namespace!) bash -c "mount -t tmpfs -o size=1m none d; head -c 1045000 /dev/zero > d/fill
      '\(Tool.path)' process in.wav --plot d/out.\(kind); echo \\$? > status; ls d > left"
      """
    let ending = try Tool.shell(script, in: folder)
    #expect(String(decoding: try folder.read("status"), as: UTF8.self) == "74\n", "\(ending.errors)")
    #expect(ending.failures.count == 1 && ending.errors.contains("out.\(kind): the disk is full"), "\(ending.errors)")
    #expect(String(decoding: try folder.read("left"), as: UTF8.self) == "fill\n")
  }

  @Test("a closed stdout ends the job quietly under each of its names", .shows("closed pipe"))
  func closedPipe() throws {
    let folder = try folder()
    for name in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
      let line = "set +o pipefail; ($A process in.wav -o \(name); echo $? > status) | head -c 10"
      let stream = try Tool.shell(line, in: folder)
      #expect(stream.output.count == 10 && stream.errors.isEmpty, "\(name): \(stream.errors)")
      #expect(String(decoding: try folder.read("status"), as: UTF8.self) == "0\n", "\(name)")
    }
    // Nor does it cost the report and the tables, whose accounts close.
    let long = try Tool.shell(
      "set +o pipefail; (head -c 20000000 /dev/zero 2> head | $A process - --raw s16:48000:2 --rate 44100 -o - --report r.json "
        + "--csv t.csv; echo $? > status) | head -c 100000", in: folder)
    #expect(long.output.count == 100_000 && long.errors.isEmpty, "\(long.errors)")
    #expect(String(decoding: try folder.read("status"), as: UTF8.self) == "0\n")
    #expect(folder.has("t.pitch.csv") && folder.has("t.volume.csv"))
    let report = try #require(try JSONSerialization.jsonObject(with: Data(folder.read("r.json"))) as? [String: Any])
    let output = try #require((report["output"] as? [String: Any])?["frames"] as? Int)
    #expect(output > 0 && output < 44_100 * 100)
    // A result that nobody wants does not cost the file.
    let events = try Tool.shell("$A process in.wav -o out.wav --json-lines | head -1", in: folder)
    #expect(events.status == 0 && events.errors.isEmpty, "\(events.errors)")
    #expect(try #require(Wave(try folder.read("out.wav"))).data == Self.voice.data)
    // Where it is all that was wanted, nothing more is done: whoever feeds the job is told so, too.
    let only = try Tool.shell(
      "set +o pipefail; (head -c 500000000 /dev/zero 2> head; echo $? > status) "
        + "| $A process - --raw s16:48000:2 --json-lines | head -1", in: folder)
    #expect(only.errors.isEmpty, "\(only.errors)")
    // 141 by SIGPIPE; 1 where that is ignored.
    #expect(String(decoding: try folder.read("status"), as: UTF8.self) != "0\n")
  }
}
