import CommandTestSupport
import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite("Warnings of files", .timeLimit(.minutes(10)))
struct FileWarningTests {
  /// Half a second that stops before its header says, with two samples that are no numbers from 0.25 s on, in 64-bit
  /// floats.
  private func folder() throws -> Workspace {
    let folder = try Workspace()
    var samples = Signals.sine(300, rate: 16_000, seconds: 0.5, amplitude: 0.25)
    (samples[4_000], samples[5_000]) = (.nan, .infinity)
    let wave = Signals.wave("f64", rate: 16_000, channels: 1, samples)
    try folder.write("in.wav", wave.file(dataSize: 100_000))
    return folder
  }

  /// What must be told: number and seconds.
  private static let wanted = ["706 at 0.0", "704 at 0.25", "705 at 0.5"]

  @Test("each file warning is in the report and in the picture", .shows("report: warnings"))
  func report() throws {
    let folder = try folder()
    let ending = try Tool.run("process in.wav -o out.wav --json --plot out.svg", in: folder)
    #expect(ending.status == 0 && ending.warnings.count == 3, "\(ending.errors)")
    let json = try #require(ending.json)
    let events = try #require(json["events"] as? [[String: Any]])
    let warnings = events.filter { $0["name"] as? String == "warning" }
    let told = warnings.map { "\($0["code"] as? Int ?? 0) at \($0["time_s"] as? Double ?? -1)" }
    #expect(told == Self.wanted)
    #expect(warnings.allSatisfy { ($0["message"] as? String)?.hasPrefix("in.wav: ") == true })
    let texts = try SVGElements(String(decoding: try folder.read("out.svg"), as: UTF8.self)).texts
    for code in [704, 705, 706] {
      #expect(texts.contains { $0.contains("warning \(code): ") }, "\(texts)")
    }
  }

  @Test("an analysis has the same file warnings as a report", .shows("analyze: warnings"))
  func analysis() throws {
    let folder = try folder()
    func told(_ object: [String: Any]?) throws -> [String] {
      try #require(object?["events"] as? [[String: Any]]).map { event in
        #expect(event["name"] as? String == "warning")
        #expect((event["message"] as? String)?.hasPrefix("in.wav: ") == true)
        return "\(event["code"] as? Int ?? 0) at \(event["time_s"] as? Double ?? -1)"
      }
    }
    let alone = try Tool.run("analyze in.wav --volume --json", in: folder)
    #expect(try told(alone.json) == Self.wanted, "\(alone.errors)")
    #expect(alone.warnings.count == 3)
    try folder.write("a.wav", Wave(rate: 16_000, [Int16](repeating: 0, count: 32_000)).file())
    let both = try Tool.run("analyze a.wav in.wav --volume --json", in: folder)
    let jobs = try #require(both.json?["jobs"] as? [[String: Any]])
    #expect(try jobs.map(told) == [[], Self.wanted])
  }

  @Test("each file warning is one JSON line at its time plus the delay", .shows("report: warnings"))
  func lines() throws {
    let folder = try folder()
    try folder.write("a.wav", Wave(rate: 16_000, [Int16](repeating: 0, count: 32_000)).file())
    for (arguments, delay) in [("in.wav", 0.0), ("a.wav --user in.wav:at=1", 1)] {
      let ending = try Tool.run("process \(arguments) -o out.wav --overwrite --json-lines -q", in: folder)
      let lines = ending.text.split(separator: "\n").compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
      let told = lines.filter { $0["event"] as? String == "warning" }.map { line in
        "\(line["code"] as? Int ?? 0) at \((line["at_s"] as? Double ?? -1) - delay)"
      }
      #expect(told == Self.wanted, "\(ending.errors)")
    }
  }

  @Test(
    "missing or unreadable music ends a job before any output", .shows("M4"),
    arguments: [("none.wav", 66), ("text.wav", 65)] as [(String, Int32)])
  func music(name: String, status: Int32) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: 16_000, [Int16](repeating: 0, count: 1_600)).file())
    try folder.write("text.wav", Array("hello\n".utf8))
    let ending = try Tool.run("process in.wav -o out.wav --mix \(name)", in: folder)
    #expect(ending.status == status && ending.failures.count == 1 && ending.errors.contains(name), "\(ending.errors)")
    #expect(!folder.has("out.wav") && !folder.has("out.wav.part"))
  }

  @Test(
    "a truncated file has one warning, as a voice or as a played sound",
    .shows("M4"),
    arguments: ["wav", "aiff", "flac", "ogg"])
  func broken(kind: String) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: 48_000, [Int16](repeating: 0, count: 48_000)).file())
    // Half of the file has to hold whole pages of Ogg.
    let tone = Signals.sine(300, rate: 48_000, seconds: kind == "ogg" ? 12 : 5, amplitude: 0.25)
    try folder.write("tone.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    let made = try Tool.run("process tone.wav -o whole.\(kind)", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let bytes = try folder.read("whole.\(kind)")
    try folder.write("cut.\(kind)", Array(bytes[..<(bytes.count / 2)]))
    for (arguments, codes) in [
      ("cut.\(kind)", [705]), ("in.wav --mix cut.\(kind)", [703]), ("in.wav --effect 7=cut.\(kind)", [703]),
    ] {
      let ending = try Tool.run("process \(arguments) -o out.wav --overwrite --json", in: folder)
      let events = try #require(ending.json?["events"] as? [[String: Any]])
      #expect(events.compactMap { $0["code"] as? Int } == codes, "\(arguments): \(ending.errors)")
      #expect(ending.status == 0 && ending.warnings.count == 1, "\(arguments): \(ending.errors)")
      let names = events.compactMap { $0["name"] as? String }
      #expect(!names.contains("musicFinished") && !names.contains("effectFinished"), "\(names)")
      #expect(names.contains("effectInterrupted") == arguments.contains("effect"))
    }
  }

  @Test("Music that breaks off in a pipe fades out over 5 ms", .shows("M4"))
  func brokenPipe() throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: 48_000, [Int16](repeating: 0, count: 96_000)).file())
    let tone = Signals.sine(300, rate: 48_000, seconds: 1.00025, amplitude: 0.5)
    try folder.write("cut.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file(dataSize: 150_000))
    let ending = try Tool.shell(
      "mkfifo pipe && (cat cut.wav > pipe &) && $A process in.wav -o out.wav --no-dither --mix pipe:volume=100",
      in: folder)
    #expect(ending.status == 0 && ending.warnings.count == 1, "\(ending.errors)")
    let output = try #require(Wave(try folder.read("out.wav"))).int16()
    let wanted = Signals.wave("s16", rate: 48_000, channels: 1, tone).int16()
    #expect(Array(output[..<(tone.count - 240)]) == Array(wanted[..<(tone.count - 240)]))
    for index in 1...240 {
      let faded = Double(wanted[tone.count - index]) * Double(index - 1) / 240
      #expect(abs(Double(output[tone.count - index]) - faded) <= 1)
    }
  }

  @Test("a damaged MP3 has one warning, as JSON if set, none with -q", .shows("log"))
  func damagedMP3() throws {
    let folder = try Workspace()
    let wave = Signals.wave(
      "s16", rate: 44_100, channels: 1, Signals.sine(440, rate: 44_100, seconds: 4, amplitude: 0.5))
    try folder.write("in.wav", wave.file())
    #expect(try Tool.run("process in.wav -o in.mp3 -q", in: folder).status == 0)
    var bytes = [UInt8](try folder.read("in.mp3"))
    let middle = bytes.count / 2
    for index in middle..<middle + 1_000 { bytes[index] = 0 }
    try folder.write("in.mp3", bytes)
    let told = try Tool.run("analyze in.mp3 --volume --csv out.csv --log-format json", in: folder)
    let lines = told.errors.split(separator: "\n")
    for line in lines { #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any], "\(line)") }
    #expect(told.status == 0 && lines.count { $0.contains("warning") } == 1, "\(told.errors)")
    let quiet = try Tool.run("analyze in.mp3 --volume --csv quiet.csv -q", in: folder)
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
  }
}
