import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Recording and playing with simulated devices, in real time.
@Suite("record and play", .serialized, .timeLimit(.minutes(10)))
struct DeviceTests {
  @Test("a recording has exactly the wanted length, and the tone", .shows("record, play, devices"))
  func record() throws {
    let folder = try Workspace()
    let ending = try Tool.run(
      "record -o tone.wav --device virtual:ppm=200:tone=1000 --duration 2.5 --json", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let samples = try #require(Wave(try folder.read("tone.wav"))).int16().map { Double($0) / 32_768 }
    #expect(samples.count == 120_000)
    // The first periods wait for the device.
    #expect(abs(toneAmplitude(of: 1_000, in: samples[24_000..<48_000], sampleRate: 48_000) - 0.5) < 0.02)
    let device = try #require(ending.json?["device"] as? [String: Any])
    #expect(device["xruns"] as? Int == 0 && device["opened"] as? Int == 1)
    #expect(try #require(device["delay_ms"] as? Double) > 20)
  }

  @Test("a pause is not in the file, and is not heard as a click", .shows("record, play, devices"))
  func pause() throws {
    let folder = try Workspace()
    let ending = try Tool.shell(
      """
      $A record -o tone.wav --device virtual:tone=440 --duration 2 & p=$!
      sleep 1; kill -USR1 $p; sleep 0.7; kill -USR1 $p; wait $p
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let samples = try #require(Wave(try folder.read("tone.wav"))).int16().map { Int($0) }
    #expect(samples.count == 96_000)
    // A tone of 440 Hz moves by 943 a sample; a crossfade of two of them by the same.
    let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }
    #expect(steps.max()! < 1_100, "\(steps.max()!) at \(steps.firstIndex(of: steps.max()!)!)")
  }

  @Test("a killed recording is valid and lacks a second at most", .shows("R2"), arguments: [1.3, 1.9, 2.6])
  func killed(seconds: Double) throws {
    let folder = try Workspace()
    let ending = try Tool.shell(
      "$A record -o tone.wav --device virtual:tone=440 & p=$!; sleep \(seconds); kill -9 $p; wait $p; true", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let wave = try #require(Wave(try folder.read("tone.wav")))
    // The start of the program takes a part of the time.
    let samples = wave.int16()
    #expect(Double(samples.count) / 48_000 > seconds - 1.5, "\(samples.count)")
    #expect(samples.count < 24_000 || samples.contains { abs(Int($0)) > 8_000 })
  }

  @Test("a recording beyond the largest file ends with 74 and a valid file", .shows("R2"))
  func full() throws {
    let folder = try Workspace()
    let ending = try Tool.shell(
      """
      (ulimit -f 64; exec $A record -o tone.wav --device virtual:tone=440 --duration 10)
      """, in: folder)
    #expect(ending.status == 74 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains("tone.wav"))
    #expect(try #require(Wave(try folder.read("tone.wav"))).int16().count > 20_000)
  }

  @Test("events that cannot be written are 74 and end the recording", .shows("record, play, devices"))
  func fullOutput() throws {
    let folder = try Workspace()
    let ending = try Tool.shell(
      "$A record -o tone.wav --device virtual:tone=440 --duration 10 --json-lines > /dev/full", in: folder)
    #expect(ending.status == 74 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains("cannot write to stdout"), "\(ending.errors)")
  }

  @Test("a program reads the frames of a recording", .shows("record, play, devices"))
  func program() throws {
    let folder = try Workspace()
    let ending = try Tool.shell(
      "$A record -o tone.wav --device virtual:tone=440 --duration 1 --observe-cmd 'cat > frames.raw'", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(folder.size("frames.raw") >= 2 * 48_000)
  }

  @Test("a file is played to its last sample, at its level", .shows("record, play, devices"))
  func play() throws {
    let folder = try Workspace()
    let tone = Signals.sine(500, rate: 48_000, seconds: 1.5, amplitude: 0.3)
    try folder.write("tone.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    let ending = try Tool.run("play tone.wav --device file:heard.wav --json", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let wave = try #require(Wave(try folder.read("heard.wav")))
    let left = stride(from: 0, to: wave.int16().count, by: 2).map { Double(wave.int16()[$0]) / 32_768 }
    let loud = left.indices.filter { abs(left[$0]) > 0.25 }
    #expect(loud.last! - loud.first! > 71_500 && loud.last! - loud.first! < 72_100)
    #expect(abs(toneAmplitude(of: 500, in: left[9_600..<57_600], sampleRate: 48_000) - 0.3) < 0.003)
    #expect(try Tool.run("play tone.wav --device null --json", in: folder).status == 0)
  }

  @Test(
    "stdin is played to its last sample, at its level, with a header or raw", .shows("record, play, devices"),
    arguments: ["play -", "play - --raw s16:48000:1"])
  func playStandardInput(line: String) throws {
    let folder = try Workspace()
    let tone = Signals.sine(500, rate: 48_000, seconds: 1.5, amplitude: 0.3)
    let wave = Signals.wave("s16", rate: 48_000, channels: 1, tone)
    try folder.write("in", line.contains("raw") ? wave.data : wave.file())
    // In two pieces, as a pipe gives them.
    let ending = try Tool.shell(
      "{ head -c 50001 in; tail -c +50002 in; } | $A \(line) --device file:heard.wav --json", in: folder)
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
    let heard = try #require(Wave(try folder.read("heard.wav"))).int16()
    let left = stride(from: 0, to: heard.count, by: 2).map { Double(heard[$0]) / 32_768 }
    let loud = left.indices.filter { abs(left[$0]) > 0.25 }
    #expect(loud.last! - loud.first! > 71_900 && loud.last! - loud.first! < 72_000)
    #expect(abs(toneAmplitude(of: 500, in: left[loud.first!..<loud.last!], sampleRate: 48_000) - 0.3) < 0.003)
  }

  @Test("an endless stream ends with --duration, and a broken one is named", .shows("record, play, devices"))
  func brokenStandardInput() throws {
    let folder = try Workspace()
    let tone = Signals.sine(500, rate: 48_000, seconds: 1, amplitude: 0.3)
    try folder.write("in.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    let endless = try Tool.shell(
      "mkfifo pipe; exec 9<> pipe; $A play - --raw s16:8000:1 --device null --duration 0.3 < pipe", in: folder)
    #expect(endless.status == 0 && endless.errors.isEmpty, "\(endless.errors)")
    let broken = try Tool.shell("head -c 20001 in.wav | $A play - --device null", in: folder)
    #expect(broken.status == 0 && broken.warnings.count == 1 && broken.errors.contains("stdin: "), "\(broken.errors)")
  }

  @Test(
    "a wrong command line is refused in one sentence", .shows("record, play, devices"),
    arguments: [
      ("record", 64, "-o FILE"), ("record -o x.wav --device virtual:pmm=2", 64, "pmm"),
      ("record -o x.wav --device virtual:ppm=2000", 64, "1000"), ("record -o -", 64, "--observe-cmd"),
      ("record -o x.wav --device file:", 64, "file:PATH"), ("record -o x.xyz --device null --duration 1", 64, "xyz"),
      ("record -o x.wav --device none-such --duration 1", 69, "none-such"), ("play none.wav", 66, "none.wav"),
      ("play - --loops 2", 64, "--loops"), ("play x.wav --raw s16:8000:1", 64, "'-'"),
      ("play", 64, "FILE"), ("record -o missing/x.wav --device null --duration 1", 73, "missing"),
    ] as [(String, Int32, String)])
  func refused(line: String, status: Int32, words: String) throws {
    let folder = try Workspace()
    let ending = try Tool.run(line, in: folder)
    #expect(ending.status == status && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains(words), "\(ending.errors)")
    #expect(!folder.has("x.wav"))
  }

  @Test("the list of devices is valid JSON, and alone on its streams", .shows("record, play, devices"))
  func list() throws {
    let folder = try Workspace()
    let ending = try Tool.run("devices --json", in: folder)
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
    #expect(ending.json?["schema"] as? Int == 1 && ending.json?["devices"] is [Any])
  }
}
