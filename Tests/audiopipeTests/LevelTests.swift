import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("process with levels", .timeLimit(.minutes(10)))
struct LevelTests {
  private let rate = 44_100

  private func voice(_ hertz: Double, _ amplitude: Double, channels: Int = 1) -> Wave {
    let mono = Signals.sine(hertz, rate: rate, seconds: 0.5, amplitude: amplitude)
    return Signals.wave("s16", rate: rate, channels: channels, mono.flatMap { Array(repeating: $0, count: channels) })
  }

  private func output(_ folder: Workspace, _ line: String) throws -> Wave {
    let ending = try Tool.call("process \(line) -o out.wav --no-dither --overwrite", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    return try #require(Wave(try folder.read("out.wav")))
  }

  /// The largest difference from exact, unrounded values, in steps of 16 bits.
  private func error(_ output: Wave, _ exact: [Double]) -> Double {
    let samples = output.int16()
    guard samples.count == exact.count else { return .infinity }
    return zip(samples, exact).map { abs(Double($0) - $1) }.max() ?? 0
  }

  @Test("A gain multiplies every sample", .shows("process: sound"), arguments: [-40.0, -6, -0.1, 6])
  func gain(decibels: Double) throws {
    let folder = try Workspace()
    let input = voice(440, 0.4, channels: 2)
    try folder.write("in.wav", input.file())
    let exact = input.int16().map { Double($0) * pow(10, decibels / 20) }
    #expect(error(try output(folder, "in.wav --gain \(decibels)"), exact) <= 1)
  }

  @Test("the limiter acts only on gains that lift peaks above -0.5 dBTP", .shows("process: sound"))
  func limit() throws {
    let folder = try Workspace()
    let input = voice(440, 0.4)
    try folder.write("in.wav", input.file())
    // 0.4 is -7.96 dB.
    for (decibels, isTurnedDown) in [(7.35, false), (7.75, true), (12, true)] {
      let exact = input.int16().map { Double($0) * pow(10, decibels / 20) }
      let output = try output(folder, "in.wav --gain \(decibels)")
      #expect(output.frames == exact.count && (error(output, exact) > 1) == isTurnedDown, "\(decibels)")
      let largest = try #require(output.int16().max())
      let peak = 20 * log10(Double(largest) / 32_768)
      #expect(peak < -0.1 && peak > -1.5, "\(decibels): \(peak)")
    }
  }

  @Test("a report has position, duration and reduction of each limiter", .shows("process: limiter"))
  func report() throws {
    let folder = try Workspace()
    // -7.96 dB: at 12 dB more 4.54 dB above the threshold, and up to 0.72 dB are taken off beside.
    try folder.write("in.wav", voice(440, 0.4).file())
    let lines: [(String, String, Int?)] = [
      ("--gain 12", "playback", nil), ("--record-volume 398", "record", 1), ("--local in.wav --gain 4", "mixed", nil),
    ]
    for (options, position, user) in lines {
      let ending = try Tool.call("process in.wav -o out.wav --overwrite --report r.json \(options)", in: folder)
      let uses = try #require(try folder.json("r.json")["limiters"] as? [[String: Any]])
      try #require(uses.count == 1, "\(options): \(uses)")
      #expect(uses[0]["position"] as? String == position && uses[0]["user"] as? Int == user)
      let seconds = try #require(uses[0]["limited_s"] as? Double)
      #expect((0.48...0.54).contains(seconds), "\(options): \(seconds)")
      if position != "mixed" {
        let gain = try #require(uses[0]["smallest_gain_db"] as? Double)
        #expect((-5.3 ... -4.5).contains(gain), "\(options): \(gain)")
      }
      #expect(ending.errors.contains("; \(position)") && ending.errors.contains(" limited by up to "))
    }
    let ending = try Tool.call("process in.wav -o out.wav --overwrite --report r.json --gain 7", in: folder)
    let uses = try #require(try folder.json("r.json")["limiters"] as? [[String: Any]])
    #expect(uses.isEmpty && !ending.errors.contains("limited"))
  }

  @Test("Record and playback volume are percent of the level", arguments: [("record", 50.0), ("playback", 30)])
  func volume(name: String, percent: Double) throws {
    let folder = try Workspace()
    let input = voice(440, 0.4)
    try folder.write("in.wav", input.file())
    let exact = input.int16().map { Double($0) * percent / 100 }
    #expect(error(try output(folder, "in.wav --\(name)-volume \(Int(percent))"), exact) <= 1)
  }

  @Test("A mono voice is panned with constant power", .shows("process: sound"), arguments: [-1.0, -0.3, 0.5, 1])
  func pan(pan: Double) throws {
    let folder = try Workspace()
    let input = voice(440, 0.4)
    try folder.write("in.wav", input.file())
    let angle = (pan + 1) * .pi / 4
    let exact = input.int16().flatMap {
      [Double($0) * 2.0.squareRoot() * cos(angle), Double($0) * 2.0.squareRoot() * sin(angle)]
    }
    let output = try output(folder, "in.wav --pan \(pan)")
    #expect(output.channels == 2 && error(output, exact) <= 1)
  }

  @Test(
    "gain and pan of 24-bit samples are exact to one step",
    .shows("process: sound"),
    arguments: [
      ("--gain -8.9", -8.9, nil, 1.0), ("--pan -0.89", 0, -0.89, 1), ("--gain -8.9 --pan -0.89", -8.9, -0.89, 1.25),
    ])
  func finest(options: String, decibels: Double, pan: Double?, limit: Double) throws {
    let folder = try Workspace()
    var random: UInt64 = 7
    // The loudest that neither of them lifts over full scale.
    let input = (0..<24_000).map { _ -> Int32 in
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int32(truncatingIfNeeded: Int64(bitPattern: random) >> 32) / (pan == nil || decibels < 0 ? 256 : 768)
    }
    let data = input.flatMap { sample in (0..<3).map { UInt8(truncatingIfNeeded: sample >> (8 * $0)) } }
    try folder.write("in.wav", Wave(format: "s24", rate: rate, channels: 1, data: data).file())
    let angle = ((pan ?? 0) + 1) * .pi / 4
    let root = Double(2).squareRoot()
    let sides = pan == nil ? [1] : [root * cos(angle), root * sin(angle)]
    let output = try output(folder, "in.wav \(options)").data
    try #require(output.count == 3 * sides.count * input.count)
    let worst = input.indices.flatMap { index in
      sides.indices.map { side in
        let place = 3 * (sides.count * index + side)
        let sample =
          Int32(Int8(bitPattern: output[place + 2])) << 16 | Int32(output[place + 1]) << 8 | Int32(output[place])
        return abs(Double(sample) - Double(input[index]) * pow(10, decibels / 20) * sides[side])
      }
    }.max()!
    #expect(worst <= limit && worst > 0.4, "\(worst)")
  }

  @Test(
    "A pitch is raised or lowered, the length stays", .shows("process: pitch"),
    arguments: [("1.5", 1.5), ("-12st", 0.5), ("+3st --pitch-mode low-delay", 1.189207)])
  func pitch(option: String, ratio: Double) throws {
    let folder = try Workspace()
    let input = voice(440, 0.4)
    try folder.write("in.wav", input.file())
    let output = try output(folder, "in.wav --pitch \(option)")
    #expect(output.frames == input.frames)
    let heard = output.int16()[2_000..<20_000]
    let rises = zip(heard, heard.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(Double(rises) - 440 * ratio * 18_000 / Double(rate)) <= 1)
  }

  @Test("Two voices are added as sox adds them", .shows("process: sound"))
  func mix() throws {
    let folder = try Workspace()
    let (one, other) = (voice(440, 0.4), voice(1_000, 0.3))
    try folder.write("one.wav", one.file())
    try folder.write("other.wav", other.file())
    let output = try output(folder, "one.wav --user other.wav")
    #expect(error(output, zip(one.int16(), other.int16()).map { Double($0 + $1) }) <= 1)
    let sox = try Tool.shell("sox --no-dither -m -v 1 one.wav -v 1 other.wav sox.wav", in: folder)
    #expect(sox.status == 0, "\(sox.errors)")
    #expect(error(output, try #require(Wave(try folder.read("sox.wav"))).int16().map(Double.init)) <= 1)
  }

  @Test("a late user with gain and pan extends the output")
  func user() throws {
    let folder = try Workspace()
    let (one, other) = (voice(440, 0.4), voice(1_000, 0.3))
    try folder.write("one.wav", one.file())
    try folder.write("other.wav", other.file())
    let output = try output(folder, "one.wav --user other.wav:at=0.25:gain=-6:pan=-1")
    let start = rate / 4
    #expect(output.channels == 2 && output.frames == start + other.frames)
    let gain = pow(10, -6.0 / 20) * 2.0.squareRoot()
    let (first, second) = (one.int16(), other.int16())
    let exact = (0..<output.frames).flatMap { index in
      let sample = index < first.count ? Double(first[index]) : 0
      return [sample + (index >= start ? gain * Double(second[index - start]) : 0), sample]
    }
    #expect(error(output, exact) <= 1)
  }

  @Test("The listener's own voice and music are in the output once", .shows("process: sound"))
  func localAndMusic() throws {
    let folder = try Workspace()
    let waves = [voice(440, 0.2), voice(1_000, 0.2), voice(300, 0.2)]
    for (name, wave) in zip(["in", "own", "music"], waves) { try folder.write("\(name).wav", wave.file()) }
    let samples = waves.map { $0.int16() }
    let exact = samples[0].indices.map { Double(samples[0][$0] + samples[1][$0]) + 0.4 * Double(samples[2][$0]) }
    #expect(error(try output(folder, "in.wav --local own.wav --mix music.wav:volume=40"), exact) <= 1)
  }

  @Test("Mono becomes stereo by copying, stereo mono by averaging")
  func channels() throws {
    let folder = try Workspace()
    let mono = voice(440, 0.4)
    try folder.write("in.wav", mono.file())
    let stereo = try output(folder, "in.wav --channels 2")
    #expect(stereo.channels == 2 && stereo.int16() == mono.int16().flatMap { [$0, $0] })
    let (left, right) = (mono.int16(), voice(1_000, 0.3).int16())
    try folder.write(
      "in.wav", Wave(rate: rate, channels: 2, zip(left, right).flatMap { [Int16($0), Int16($1)] }).file())
    let half = try output(folder, "in.wav --channels 1")
    #expect(half.channels == 1 && error(half, zip(left, right).map { Double($0 + $1) / 2 }) <= 1)
  }

  @Test(
    "Another rate gives the same sound, and floor(in L/M) samples", .shows("process: rate"),
    arguments: [8_000, 16_000, 22_050, 48_000, 96_000])
  func rate(to other: Int) throws {
    let folder = try Workspace()
    try folder.write("in.wav", voice(440, 0.4).file())
    let output = try output(folder, "in.wav --rate \(other)")
    #expect(output.rate == other && output.frames == rate / 2 * other / rate)
    // Away from the ends, where the filter sees silence.
    let middle = output.frames / 4..<output.frames * 3 / 4
    let sine = Signals.sine(440, rate: other, seconds: 0.5, amplitude: 0.4 * 32_768)
    let power = middle.reduce(0) { $0 + sine[$1] * sine[$1] }
    let samples = output.int16()
    let noise = middle.reduce(0) { $0 + pow(Double(samples[$1]) - sine[$1], 2) }
    #expect(10 * log10(power / noise) > 80)
  }
}
