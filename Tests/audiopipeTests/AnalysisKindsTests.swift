import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("analyze: pitch and loudness", .timeLimit(.minutes(10)))
struct AnalysisKindsTests {
  private func summary(_ arguments: String, in folder: Workspace) throws -> [String: Double] {
    let ending = try Tool.call("analyze \(arguments) --json", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let json = try #require(ending.json)
    return try #require(json["summary"] as? [String: Double])
  }

  @Test("an interval for the pitch alone is refused with 64")
  func intervalOfPitch() throws {
    let line = "analyze /usr/share/sounds/alsa/Front_Center.wav --pitch --interval 500"
    let ending = try Tool.call(line, in: Workspace())
    #expect(ending.status == 64 && ending.failures.count == 1 && ending.errors.contains("every 10 ms"))
  }

  @Test("A tone has its pitch in a row every 10 ms, silence has none", .shows("pitch CSV"))
  func pitch() throws {
    let folder = try Workspace()
    // Three partials: a voice of 150 Hz, without formants.
    let voice = (0..<16_000).map { index -> Double in
      let turns = 150 * Double(index) / 16_000
      return [1.0, 2, 3].map { sin(2 * Double.pi * turns * $0) * 0.2 / $0 }.reduce(0, +)
    }
    let wave = Signals.wave("s16", rate: 16_000, channels: 1, voice + [Double](repeating: 0, count: 8_000))
    try folder.write("in.wav", wave.file())
    let ending = try Tool.call("analyze in.wav --pitch --csv p.csv", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let lines = String(decoding: try folder.read("p.csv"), as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "time_s,f0_hz,voicing")
    let rows = lines.dropFirst().map { $0.split(separator: ",").compactMap { Double($0) } }
    #expect(rows.count == 150 && rows.allSatisfy { $0.count == 3 && (0...1).contains($0[2]) })
    #expect(zip(rows, rows.dropFirst()).allSatisfy { abs($1[0] - $0[0] - 0.01) < 1e-4 })
    #expect(rows.filter { (0.05..<0.95).contains($0[0]) }.allSatisfy { abs($0[1] - 150) < 1 && $0[2] > 0.5 })
    #expect(rows.filter { $0[0] > 1.1 }.allSatisfy { $0[1] == 0 && $0[2] < 0.5 })
    let numbers = try summary("in.wav --pitch", in: folder)
    #expect(abs(numbers["median_f0_hz"]! - 150) < 1 && abs(numbers["voiced_share"]! - 2 / 3) < 0.03)
  }

  @Test("the report's pitch rows are aligned with the speaker despite the codec")
  func report() throws {
    let folder = try Workspace()
    let voice = (0..<24_000).map { index -> Double in
      let turns = (index < 12_000 ? 150 : 220) * Double(index) / 48_000
      return [1.0, 2, 3].map { sin(2 * Double.pi * turns * $0) * 0.2 / $0 }.reduce(0, +)
    }
    try folder.write("in.wav", Signals.wave("s16", rate: 48_000, channels: 1, voice).file())
    for options in ["", "--codec opus:bitrate=96000"] {
      let ending = try Tool.call("process in.wav --json \(options)", in: folder)
      let json = try #require(ending.json)
      let rows = try #require(json["pitch"] as? [[String: Double]])
      #expect((48...52).contains(rows.count), "\(options)")
      func pitch(_ range: Range<Double>) -> [Double] {
        rows.filter { range.contains($0["time_s"]!) }.map { $0["f0_hz"]! }
      }
      #expect(pitch(0.08..<0.22).allSatisfy { abs($0 - 150) < 3 }, "\(options)")
      #expect(pitch(0.28..<0.45).allSatisfy { abs($0 - 220) < 4 }, "\(options)")
    }
  }

  /// sox's words for signals that differ in level, spectrum, channels, rate and gaps.
  private static let signals = [
    "-r 48000 -c 2 in.wav synth 20 sine 997 gain -23", "-r 44100 -c 1 in.wav synth 20 pinknoise gain -20",
    "-r 48000 -c 2 in.wav synth 20 whitenoise gain -12 tremolo 0.2 90",
    "-r 32000 -c 2 in.wav synth 12 sine 100-8000 gain -6 pad 2 8",
    "-r 96000 -c 1 in.wav synth 15 square 250 gain -30 synth 15 sine mix 1000 gain -8",
  ]

  @Test("Loudness, range and true peak are those of ffmpeg's ebur128", .shows("loudness CSV"), arguments: signals)
  func loudness(signal: String) throws {
    let folder = try Workspace()
    let made = try Tool.shell("sox -D -R -n -b 24 \(signal)", in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let ours = try summary("in.wav --loudness", in: folder)
    let theirs = try Tool.shell(
      "ffmpeg -hide_banner -nostats -i in.wav -af ebur128=peak=true -f null - 2>&1 | tail -12", in: folder
    ).text
    func value(_ label: String) throws -> Double {
      let line = try #require(theirs.split(separator: "\n").first { $0.contains(label) })
      return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
    }
    #expect(abs(ours["integrated_lufs"]! - (try value(" I:"))) <= 0.1)
    #expect(abs(ours["range_lu"]! - (try value("LRA:"))) <= 0.1)
    // What lies near half the sample rate peaks as the interpolator has it.
    let tolerance = signal.contains("whitenoise") ? 1 : 0.2
    #expect(abs(ours["true_peak_dbtp"]! - (try value("Peak:"))) <= tolerance)
  }

  /// Levels that glide, step, or are a voice's: what is to become in.wav.
  private static let courses = [
    "sox -D -R -n -b 24 -r 48000 -c 2 in.wav synth 30 pinknoise gain -12 fade t 30",
    "sox -D -R -n -b 24 -r 44100 -c 1 in.wav synth 20 whitenoise gain -6 fade l 10 20 10",
    "sox -D -R -n -b 24 -r 48000 -c 1 in.wav synth 20 whitenoise gain -6 fade h 18 20 0.1",
    "sox -D -R -n -b 24 -r 48000 -c 2 a.wav synth 7 pinknoise gain -12; sox -D a.wav b.wav gain -17; "
      + "sox -D a.wav c.wav gain -9; sox -D a.wav b.wav c.wav b.wav in.wav",
    "espeak-ng -w in.wav 'It rains. The quick brown fox jumps over the lazy dog, then sleeps for a long while.'",
  ]

  @Test(
    "the loudness range of fades, steps and speech is that of ffmpeg", .shows("loudness CSV"),
    arguments: courses)
  func range(series: String) throws {
    let folder = try Workspace()
    let made = try Tool.shell(series, in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let ours = try summary("in.wav --loudness", in: folder)["range_lu"]!
    let said = try Tool.shell(
      "ffmpeg -hide_banner -nostats -i in.wav -af ebur128=metadata=1,ametadata=print:file=- -f null - 2> rest "
        + "| grep 'r128.LRA=' | tail -1", in: folder
    ).text
    let theirs = try #require(said.split(separator: "=").last.flatMap { Double($0.filter { !$0.isWhitespace }) })
    #expect(abs(ours - theirs) <= 0.05, "\(ours) and \(theirs) LU")
  }

  @Test("several kinds at once have a table each and a key each in one object", .shows("loudness CSV"))
  func several() throws {
    let folder = try Workspace()
    let line = "analyze /usr/share/sounds/alsa/Front_Center.wav --volume --pitch --loudness --interval 100"
    let ending = try Tool.call(line + " --csv out.csv", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    func header(_ name: String) throws -> Substring? {
      String(decoding: try folder.read(name), as: UTF8.self).split(separator: "\n").first
    }
    #expect(try header("out.volume.csv") == "time_s,volume,rms_dbfs,peak_dbfs,vad")
    #expect(try header("out.pitch.csv") == "time_s,f0_hz,voicing")
    #expect(try header("out.loudness.csv") == "time_s,momentary_lufs,shortterm_lufs")
    let json = try #require(try Tool.call(line + " --json", in: folder).json)
    let momentary = try #require(json["loudness"] as? [[String: Double]])
    #expect(momentary.count == 15 && json["pitch"] is [Any] && json["volume"] is [Any])
    // 400 ms into the file its first window is full.
    #expect(momentary[3]["momentary_lufs"]! > -30 && momentary[3]["shortterm_lufs"]! < momentary[3]["momentary_lufs"]!)
  }

  @Test("the loudness of a report is that of analyze and ffmpeg for the output", .shows("report: loudness"))
  func outputLoudness() throws {
    let folder = try Workspace()
    // Its delay is longer than a frame, and its end lies within one.
    let made = try Tool.shell(
      "sox -D -R -n -r 44100 -b 16 in.wav synth 6.1234 pinknoise gain -20; "
        + "sox -D -R -n -r 44100 -b 16 b.wav synth 3 sine 500 gain -12", in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let line = "process in.wav -o out.wav --sample-format f32 --pitch 1.2 --user b.wav:at=2 --csv t.csv --json"
    let ending = try Tool.call(line, in: folder)
    let report = try #require(ending.json, "\(ending.errors)")
    let analysis = try Tool.call("analyze out.wav --loudness --csv - -q", in: folder).text
    #expect(String(decoding: try folder.read("t.loudness.csv"), as: UTF8.self) == analysis)
    let rows = try #require(report["loudness"] as? [[String: Double]])
    #expect(rows.count == 31 && rows.count + 1 == analysis.split(separator: "\n").count)
    #expect(rows[30]["time_s"] == 6.123 && rows[14]["momentary_lufs"]! > rows[9]["momentary_lufs"]! + 3)
    let ours = try #require(report["summary"] as? [String: Double])
    let theirs = try summary("out.wav --loudness", in: folder)
    for key in ["integrated_lufs", "range_lu", "true_peak_dbtp"] { #expect(ours[key] == theirs[key]) }
    let said = try Tool.shell(
      "ffmpeg -hide_banner -nostats -i out.wav -af ebur128=peak=true -f null - 2>&1 | tail -12 | grep ' I:'",
      in: folder
    ).text
    let integrated = try #require(said.split(separator: " ").compactMap { Double($0) }.first)
    #expect(abs(ours["integrated_lufs"]! - integrated) <= 0.1)
    // The tables beside it.
    #expect(String(decoding: try folder.read("t.volume.csv"), as: UTF8.self).hasPrefix("time_s,volume,"))
    #expect(String(decoding: try folder.read("t.pitch.csv"), as: UTF8.self).hasPrefix("time_s,f0_hz,"))
  }

  @Test("without an input, the pitch of a report is that of the first speaker", .shows("report: pitch"))
  func firstSpeaker() throws {
    let folder = try Workspace()
    for (name, pitch) in [("a.wav", 220.0), ("b.wav", 330)] {
      let tone = Signals.sine(pitch, rate: 16_000, seconds: 1, amplitude: 0.3)
      try folder.write(name, Signals.wave("s16", rate: 16_000, channels: 1, tone).file())
    }
    let ending = try Tool.call("process --user a.wav:at=0.5 --user b.wav --csv t.csv --json", in: folder)
    let rows = try #require(ending.json?["pitch"] as? [[String: Double]], "\(ending.errors)")
    #expect(rows.last.map { abs($0["time_s"]! - 1.5) <= 0.01 } == true)
    let voiced = rows.filter { (0.6...1.4).contains($0["time_s"]!) }
    #expect(voiced.count >= 80 && voiced.allSatisfy { abs($0["f0_hz"]! - 220) < 1 })
    #expect(rows.allSatisfy { $0["time_s"]! > 0.45 || $0["f0_hz"]! == 0 })
    let table = String(decoding: try folder.read("t.pitch.csv"), as: UTF8.self)
    #expect(table.split(separator: "\n").count == rows.count + 1)
  }
}
