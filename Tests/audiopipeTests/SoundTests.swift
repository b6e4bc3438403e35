import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("process with music and effects", .timeLimit(.minutes(10)))
struct SoundTests {
  private static let rate = 8_000

  private func tone(_ frequency: Double, seconds: Double, amplitude: Double) -> Wave {
    Signals.wave(
      "s16", rate: Self.rate, channels: 1,
      Signals.sine(frequency, rate: Self.rate, seconds: seconds, amplitude: amplitude))
  }

  private func samples(_ folder: Workspace, _ name: String) throws -> [Int16] {
    let wave = try #require(Wave(try folder.read(name)))
    return wave.data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  @Test("repeated music is joined without a gap until the speech ends", .shows("M1"))
  func cycles() throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: Self.rate, [Int16](repeating: 0, count: 10_001)).file())
    try folder.write("music.wav", tone(441, seconds: 0.3, amplitude: 0.25).file())
    let ending = try Tool.call("process in.wav -o out.wav --no-dither --mix music.wav:cycle=-1", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let music = try samples(folder, "music.wav")
    let output = try samples(folder, "out.wav")
    #expect(output.count == 10_001)
    #expect(output.enumerated().allSatisfy { $1 == music[$0 % music.count] })
  }

  @Test("each state of music is reported once, in the report and as a JSON line", .shows("M3"))
  func musicEvents() throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: Self.rate, [Int16](repeating: 0, count: 10_001)).file())
    try folder.write("music.wav", tone(441, seconds: 0.3, amplitude: 0.25).file())
    let ending = try Tool.call(
      "process in.wav -o out.wav --no-dither --mix music.wav:cycle=2:volume=50 --report r.json --json-lines", in: folder
    )
    #expect(ending.status == 0, "\(ending.errors)")
    let music = try samples(folder, "music.wav")
    let output = try samples(folder, "out.wav")
    #expect(output.count == 10_001)
    #expect(
      output.enumerated().allSatisfy { index, sample in
        abs(Double(sample) - (index < 2 * music.count ? Double(music[index % music.count]) / 2 : 0)) <= 1
      })
    func history(_ events: [[String: Any]], name: String, time: String) -> [String] {
      events.compactMap { event in
        guard let at = event[time] as? Double else { return nil }
        switch event[name] as? String {
        case "musicState": return "\(event["state"] as? Int ?? 0)/\(event["reason"] as? Int ?? 0) at \(at)"
        case "musicFinished": return "finished at \(at)"
        default: return nil
        }
      }
    }
    let wanted = ["710/720 at 0.0", "710/721 at 0.3", "710/722 at 0.3", "713/723 at 0.6", "finished at 0.6"]
    let report = try #require(JSONSerialization.jsonObject(with: Data(try folder.read("r.json"))) as? [String: Any])
    #expect(history(try #require(report["events"] as? [[String: Any]]), name: "name", time: "time_s") == wanted)
    let lines = try ending.text.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(history(lines, name: "event", time: "at_s") == wanted)
  }

  @Test("music from a file and through a pipe gives the same output", .shows("process: music and effects"))
  func musicThroughPipe() throws {
    let folder = try Workspace()
    try folder.write("in.wav", tone(300, seconds: 0.1, amplitude: 0.2).file())
    try folder.write("music.wav", tone(441, seconds: 0.3, amplitude: 0.25).file())
    let ending = try Tool.shell(
      """
      mkfifo pipe && (cat music.wav > pipe &) && $A process in.wav -o piped.wav --no-dither --mix pipe:volume=100 &&
      $A process in.wav -o out.wav --no-dither --mix music.wav
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let voice = try samples(folder, "in.wav")
    let music = try samples(folder, "music.wav")
    let output = try samples(folder, "out.wav")
    #expect(output.count == music.count)
    #expect(
      output.enumerated().allSatisfy { index, sample in
        Int(sample) == Int(music[index]) + (index < voice.count ? Int(voice[index]) : 0)
      })
    #expect(try samples(folder, "piped.wav") == output)
  }

  @Test(
    "effects begin at their samples with their gains, extending the output",
    .shows("process: music and effects"))
  func effects() throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: Self.rate, [Int16](repeating: 0, count: 4_000)).file())
    try folder.write("door.wav", tone(500, seconds: 0.2, amplitude: 0.25).file())
    let ending = try Tool.call(
      "process in.wav -o out.wav --no-dither --effect 7=door.wav:at=0.1:gain=50 --effect 8=door.wav:at=0.45:loop=1",
      in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let door = try samples(folder, "door.wav")
    let output = try samples(folder, "out.wav")
    var expected = [Double](repeating: 0, count: 3_600 + 2 * door.count)
    for (index, sample) in door.enumerated() {
      expected[800 + index] += Double(sample) / 2
      expected[3_600 + index] += Double(sample)
      expected[3_600 + door.count + index] += Double(sample)
    }
    #expect(output.count == expected.count)
    #expect(zip(output, expected).allSatisfy { abs(Double($0) - $1) <= 1 })
  }

  @Test("a panned effect makes a mono output stereo around the voice", .shows("E1"))
  func panned() throws {
    let folder = try Workspace()
    try folder.write("in.wav", tone(300, seconds: 0.5, amplitude: 0.2).file())
    try folder.write("door.wav", tone(500, seconds: 0.1, amplitude: 0.2).file())
    let ending = try Tool.call("process in.wav -o out.wav --no-dither --effect 1=door.wav:pan=-1:at=0.2", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let voice = try samples(folder, "in.wav")
    let output = try samples(folder, "out.wav")
    #expect(output.count == 2 * voice.count)
    // Fully left: nothing of it on the right.
    #expect(voice.indices.allSatisfy { output[2 * $0 + 1] == voice[$0] })
    #expect(output[2 * 1_700] != output[2 * 1_700 + 1])
  }

  @Test("Stereo sounds under a mono voice keep their sides", arguments: ["--effect 1=pair.wav", "--mix pair.wav"])
  func stereo(option: String) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: Self.rate, [Int16](repeating: 0, count: 4_000)).file())
    let left = Signals.sine(441, rate: Self.rate, seconds: 0.5, amplitude: 0.25)
    let right = Signals.sine(300, rate: Self.rate, seconds: 0.5, amplitude: 0.125)
    let pair = zip(left, right).flatMap { [$0, $1] }
    try folder.write("pair.wav", Signals.wave("s16", rate: Self.rate, channels: 2, pair).file())
    let ending = try Tool.call("process in.wav -o out.wav --no-dither \(option)", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try samples(folder, "out.wav") == samples(folder, "pair.wav"))
  }

  @Test(
    "a delayed voice does not shorten its music and effects",
    arguments: [
      "--pitch 1.4", "--pitch 1", "--voice-only", "--pitch 1.2 --voice-only", "--pitch 1.4 --pitch-mode low-delay",
    ])
  func whole(option: String) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: Self.rate, [Int16](repeating: 0, count: 16_000)).file())
    try folder.write("door.wav", tone(500, seconds: 0.2, amplitude: 0.25).file())
    try folder.write("click.wav", tone(700, seconds: 0.01, amplitude: 0.25).file())
    let ending = try Tool.call(
      "process in.wav -o out.wav --no-dither --effect 1=door.wav:at=0.5 --effect 2=click.wav:at=1.1 --mix door.wav \(option)",
      in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    var expected = [Int16](repeating: 0, count: 16_000)
    for (name, place) in [("door.wav", 0), ("door.wav", 4_000), ("click.wav", 8_800)] {
      for (index, sample) in try samples(folder, name).enumerated() { expected[place + index] += sample }
    }
    #expect(try samples(folder, "out.wav") == expected)
  }

  @Test("ends within a tick are reported in the order of their samples")
  func endsInOrder() throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: Self.rate, [Int16](repeating: 0, count: 8_000)).file())
    try folder.write("click.wav", tone(700, seconds: 0.01, amplitude: 0.25).file())
    let ending = try Tool.call(
      "process in.wav -o out.wav --report r.json --mix click.wav:cycle=51 --effect 9=click.wav:at=0.4905 "
        + "--effect 2=click.wav:at=0.498 --effect 1=click.wav:at=0.4985", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let bytes = try folder.read("r.json")
    let report = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let events = try #require(report["events"] as? [[String: Any]])
    let times = events.compactMap { $0["time_s"] as? Double }
    #expect(times == times.sorted() && times.count > 50)
    let ended = events.compactMap { $0["sound_id"] as? Int ?? $0["soundId"] as? Int }
    #expect(ended == [9, 2, 1], "\(events.last ?? [:])")
  }

  @Test(
    "NaN and infinity in repeated sounds are counted in one warning",
    arguments: ["--effect 7=holes.wav:loop=2", "--effect 7=holes.wav:loop=-1", "--mix holes.wav:cycle=-1"])
  func noNumbers(option: String) throws {
    let folder = try Workspace()
    try folder.write("in.wav", Wave(rate: Self.rate, [Int16](repeating: 0, count: 4_000)).file())
    var holes = Signals.sine(441, rate: Self.rate, seconds: 0.1, amplitude: 0.25)
    (holes[100], holes[200]) = (.nan, .infinity)
    try folder.write("holes.wav", Signals.wave("f32", rate: Self.rate, channels: 1, holes).file())
    let ending = try Tool.call("process in.wav -o out.wav \(option)", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let warnings = ending.errors.split(separator: "\n").filter { $0.contains("NaN") }
    #expect(warnings.count == 1 && warnings[0].contains(": 2 samples were NaN, infinite"), "\(ending.errors)")
    #expect(try samples(folder, "out.wav").count == 4_000)
  }

  @Test("an endless effect behind the end is not heard and has a warning")
  func unheard() throws {
    let folder = try Workspace()
    try folder.write("in.wav", tone(300, seconds: 0.5, amplitude: 0.2).file())
    try folder.write("door.wav", tone(500, seconds: 0.1, amplitude: 0.2).file())
    let late = try Tool.call("process in.wav -o out.wav --effect 7=door.wav:at=3:loop=-1", in: folder)
    #expect(late.status == 0 && late.errors.contains("warning: in.wav: effect 7 is not heard"), "\(late.errors)")
    let heard = try Tool.call("process in.wav -o 2.wav --effect 7=door.wav:at=0.4:loop=-1", in: folder)
    #expect(heard.status == 0 && !heard.errors.contains("warning"), "\(heard.errors)")
  }

  @Test(
    "a wrong effect is one sentence, and nothing is written", .shows("M4", "process: music and effects"),
    arguments: [
      ("7", 64), ("x=door.wav", 64), ("7=", 64), ("7=door.wav:pan=2", 64), ("7=door.wav:volume=3", 64),
      ("7=none.wav", 66), ("7=text.wav", 65),
    ])
  func refused(effect: String, status: Int32) throws {
    let folder = try Workspace()
    try folder.write("in.wav", tone(300, seconds: 0.1, amplitude: 0.2).file())
    try folder.write("door.wav", tone(300, seconds: 0.1, amplitude: 0.2).file())
    try folder.write("text.wav", Array("hello\n".utf8))
    let ending = try Tool.call("process in.wav -o out.wav --effect \(effect)", in: folder)
    #expect(ending.status == status && ending.failures.count == 1, "\(ending.errors)")
    #expect(!folder.has("out.wav") && !folder.has("out.wav.part"))
  }
}
