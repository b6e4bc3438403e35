import Foundation
import FoundationXML
import Testing

@Suite("Warnings of files")
struct FileWarningTests {
  /// Half a second that stops before its header says, with two samples that are no numbers from 0.25 s on, in 64-bit floats.
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

  @Test("Each has its number and its place in a report, and a mark of its own in a picture")
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

  @Test("Each is a line with its number and its place, once, and those of a voice that begins later are as much later")
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
    "Music that is missing or no sound ends a job before anything is written",
    arguments: [("none.wav", 66), ("text.wav", 65)] as [(String, Int32)])
  func music(name: String, status: Int32) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: 16_000, [Int16](repeating: 0, count: 1_600)).file())
    try folder.write("text.wav", Array("hello\n".utf8))
    let ending = try Tool.run("process in.wav -o out.wav --mix \(name)", in: folder)
    #expect(ending.status == status && ending.failures.count == 1 && ending.errors.contains(name), "\(ending.errors)")
    #expect(!folder.has("out.wav") && !folder.has("out.wav.part"))
  }
}
