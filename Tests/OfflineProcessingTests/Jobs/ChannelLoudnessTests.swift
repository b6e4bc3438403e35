import AudioFiles
import Engine
import FileTestSupport
import Glibc
import Metering
import OfflineProcessing
import TestSupport
import Testing

/// The loudness of files that say for which loudspeakers their channels are.
@Suite(.timeLimit(.minutes(10))) struct ChannelLoudnessTests {
  private let files = TestFiles()

  /// A tone of its own for each loudspeaker, 50 Hz for low frequencies.
  private static func tone(_ index: Int, seconds: Int) -> [Float] {
    let (frequency, amplitude) = (index == 3 ? 50.0 : 300 + 170 * Double(index), 0.05 + 0.01 * Double(index))
    return (0..<48_000 * seconds).map { Float(amplitude * sin(2 * Double.pi * frequency * Double($0) / 48_000)) }
  }

  /// The loudspeakers' numbers, in the order of the channels.
  private static func speakers(_ mask: UInt32) -> [Int] { (0..<11).filter { mask >> $0 & 1 == 1 } }

  /// As ffmpeg's ebur128 has it, in LUFS and dBTP.
  private func ffmpeg(_ path: String) throws -> (integrated: Double, truePeak: Double) {
    let output = files.path("ffmpeg.txt")
    let line = "/usr/bin/ffmpeg -hide_banner -nostats -i '\(path)' -af ebur128=peak=true -f null - </dev/null"
    try #require(system("\(line) >'\(output)' 2>&1") == 0)
    let lines = String(decoding: files.bytes(output), as: UTF8.self).split(separator: "\n")
    func value(_ label: String) throws -> Double {
      let line = try #require(lines.last { $0.contains(label) })
      return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
    }
    return (try value(" I:"), try value(" Peak:"))
  }

  /// ffmpeg says -70 where nothing is louder, and rounds to 0.1 LU as the library does.
  private func expect(_ loudness: Loudness?, _ path: String, _ what: String) throws {
    let ours = try #require(loudness)
    let theirs = try ffmpeg(path)
    let integrated = ours.integrated ?? -70
    #expect(
      abs(integrated - theirs.integrated) <= 0.1, "\(what): \(integrated), not \(theirs.integrated) LUFS")
    let truePeak = try #require(ours.truePeak)
    #expect(
      abs(truePeak - theirs.truePeak) <= 0.2, "\(what): \(truePeak), not \(theirs.truePeak) dBTP")
  }

  /// Low frequencies alone, and with what is behind; 2.1, 3.0, 3.1, 2.1 and behind, quad, 4.1, 5.1 both ways, 6.1 both
  /// ways, 7.1, 7.1 wide.
  private static let masks: [UInt32] = [
    0x8, 0x108, 0xB, 0x7, 0xF, 0x10B, 0x33, 0x3B, 0x3F, 0x60F, 0x70F, 0x13F, 0x63F, 0xFF,
  ]

  @Test(
    "a file and an output have ffmpeg's loudness for all channel masks",
    .shows("loudness: loudspeakers"),
    .enabled(if: access("/usr/bin/ffmpeg", X_OK) == 0, "there is no ffmpeg"), arguments: masks)
  func together(mask: UInt32) throws {
    let planes = Self.speakers(mask).map { Self.tone($0, seconds: 2) }
    let path = try files.write("in.wav", planes, as: .int24, speakers: mask)
    var analysis = FileAnalysis(.path(path))
    analysis.measuresLoudness = true
    try expect(try analysis.run().loudness, path, "file")
    var job = FileProcessing()
    job.input = .path(path)
    job.output = .path(files.path("out.wav"), container: nil)
    job.sampleFormat = .int16
    job.measuresLoudness = true
    try expect(try job.prepare().run().loudness, files.path("out.wav"), "output")
  }

  @Test(
    "each channel alone has ffmpeg's loudness and its true peak", .shows("loudness: loudspeakers"),
    .enabled(if: access("/usr/bin/ffmpeg", X_OK) == 0, "there is no ffmpeg"),
    arguments: [0xB, 0x10B, 0x70F, 0x63F, 0xFF] as [UInt32])
  func alone(mask: UInt32) throws {
    let speakers = Self.speakers(mask)
    for (channel, speaker) in speakers.enumerated() {
      var planes = speakers.map { _ in [Float](repeating: 0, count: 48_000) }
      planes[channel] = Self.tone(speaker, seconds: 1)
      let path = try files.write("in.wav", planes, as: .int24, speakers: mask)
      var analysis = FileAnalysis(.path(path))
      analysis.measuresLoudness = true
      try expect(try analysis.run().loudness, path, "channel \(channel)")
    }
  }

  /// ITU-R BS.1770-4, table 3, and nothing for low frequencies: mono to 7.1.
  private static let weights: [[Double]] = [
    [1], [1, 1], [1, 1, 1], [1, 1, 1.41, 1.41], [1, 1, 1, 1.41, 1.41], [1, 1, 1, 0, 1.41, 1.41],
    [1, 1, 1, 0, 1.41, 1.41, 1.41], [1, 1, 1, 0, 1.41, 1.41, 1.41, 1.41],
  ]

  @Test(
    "without a usable mask, channels have the weights of the usual layout",
    .shows("loudness: loudspeakers"), arguments: weights,
    [0, 0x7FF, 0x20000] as [UInt32])
  func usual(weights: [Double], speakers: UInt32) throws {
    let tone = Self.tone(0, seconds: 1)
    func momentary(_ channel: Int) throws -> Double? {
      let meter = try LoudnessMeter(sampleRate: 48_000, channelCount: weights.count, speakers: speakers)
      var samples = [Float](repeating: 0, count: 48_000 * weights.count)
      for index in 0..<48_000 { samples[index * weights.count + channel] = tone[index] }
      try meter.add(samples, samplesPerChannel: 48_000)
      return meter.momentary
    }
    let left = try #require(try momentary(0))
    #expect(left > -40)
    for (channel, weight) in weights.enumerated() {
      guard let found = try momentary(channel) else {
        #expect(weight == 0, "channel \(channel)")
        continue
      }
      let expected = left + 10 * log10(weight)
      #expect(abs(found - expected) < 0.01, "channel \(channel): \(found), not \(expected) LUFS")
    }
  }
}
