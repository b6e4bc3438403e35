import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("process without a change", .timeLimit(.minutes(10)))
struct IdentityTests {
  private static let rates = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
  ]

  @Test(
    "each sample format and rate passes unchanged and is counted", .shows("process: sound"),
    arguments: ["u8", "s16", "s24", "f32"], [1, 2])
  func identity(format: String, channels: Int) throws {
    let folder = try Workspace()
    var inputs: [Int: Wave] = [:]
    for rate in Self.rates {
      var samples = Signals.hard(rate: rate, channels: channels)
      // Beyond full scale and far below 16 bits: only floats hold these.
      if format == "f32" { samples += [1e30, -3.5, 1e-30, -1e-37, 7.25e5, 0.1, -0.0, 0].prefix(8) }
      inputs[rate] = Signals.wave(format, rate: rate, channels: channels, samples)
      try folder.write("\(rate).wav", inputs[rate]!.file())
    }
    let names = Self.rates.map { "\($0).wav" }.joined(separator: " ")
    let ending = try Tool.call("process \(names) --out-dir out --report r.json --jobs 2", in: folder)
    #expect(ending.status == 0 && ending.warnings.isEmpty, "\(ending.errors)")
    for rate in Self.rates {
      let input = inputs[rate]!
      let output = try #require(Wave(try folder.read("out/\(rate).wav")))
      #expect(output.format == format && output.rate == rate && output.channels == channels)
      #expect(output.data == input.data, "\(rate) Hz")
      try expectCounts(try folder.json("r.\(rate).wav.json"), equal: input.frames)
    }
  }

  private func expectCounts(_ report: [String: Any], equal frames: Int) throws {
    let positions = try #require(report["positions"] as? [String: Any])
    for name in ["record", "beforeMixing"] {
      let users = try #require(positions[name] as? [String: [String: Int]])
      #expect(users.keys.sorted() == ["1"] && users["1"]?["samples_per_channel"] == frames)
    }
    for name in ["playback", "mixed"] {
      #expect((positions[name] as? [String: Int])?["samples_per_channel"] == frames)
    }
    for name in ["input", "output"] { #expect((report[name] as? [String: Any])?["frames"] as? Int == frames) }
    let ledger = try #require(report["ledger"] as? [String: Int])
    #expect(ledger["in"] == frames && ledger["out"] == frames && ledger["dropped"] == 0 && ledger["held"] == 0)
    #expect(ledger["inserted"] == ledger["removed"])
  }

  @Test(
    "A program at every position reads exactly the input's samples", .shows("process: programs"),
    arguments: [(8_000, 1), (11_025, 2), (22_050, 1), (44_100, 2), (48_000, 2), (192_000, 1)])
  func checksums(rate: Int, channels: Int) throws {
    let folder = try Workspace()
    let input = Signals.wave("s16", rate: rate, channels: channels, Signals.hard(rate: rate, channels: channels))
    try folder.write("in.wav", input.file())
    try folder.write("in.raw", input.data)
    let ending = try Tool.shell(
      "$A process in.wav -o out.wav --observe record,beforeMixing,playback,mixed --observe-cmd "
        + "'sha256sum > $AUDIOPIPE_POSITION.$AUDIOPIPE_UID.$AUDIOPIPE_RATE.$AUDIOPIPE_CHANNELS' "
        + "&& sha256sum < in.raw", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    for name in ["record.1", "beforeMixing.1", "playback.0", "mixed.0"] {
      #expect(String(decoding: try folder.read("\(name).\(rate).\(channels)"), as: UTF8.self) == ending.text, "\(name)")
    }
  }

  @Test("Integers of 32 bits are rounded to 24 significant bits, with a warning")
  func int32() throws {
    let folder = try Workspace()
    var noise = SeededGenerator(seed: 1)
    let values =
      [Int32.max - 64, .min, 1, -1, 0, 1 << 24, (1 << 24) + 1]
      + (0..<5_000).map { _ in
        Int32.random(in: .min ... .max, using: &noise)
      }
    try folder.write(
      "in.wav", Wave(format: "s32", rate: 48_000, channels: 1, data: values.flatMap { Wave.bytes($0) }).file())
    let ending = try Tool.call("process in.wav -o out.wav", in: folder)
    #expect(ending.status == 0 && ending.warnings.count == 1, "\(ending.errors)")
    let output = try #require(Wave(try folder.read("out.wav")))
    #expect(output.format == "s32")
    let rounded = values.flatMap { Wave.bytes(Int32(clamping: Int64(Float($0)))) }
    #expect(output.data == rounded)
  }

  @Test("Floats of 64 bits are rounded to those of 32, with a warning")
  func float64() throws {
    let folder = try Workspace()
    let samples = Signals.hard(rate: 44_100, channels: 2)
    try folder.write("in.wav", Signals.wave("f64", rate: 44_100, channels: 2, samples).file())
    let ending = try Tool.call("process in.wav -o out.wav", in: folder)
    #expect(ending.status == 0 && ending.warnings.count == 1, "\(ending.errors)")
    let output = try #require(Wave(try folder.read("out.wav")))
    #expect(output.format == "f64")
    #expect(output.data == samples.flatMap { Wave.bytes(Double(Float($0)).bitPattern) })
  }
}
