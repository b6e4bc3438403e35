import AudioGraph
import Effects
import Foundation
import GraphTestSupport
import TestSupport
import Testing

/// Another program's opinion of the limiter's output.
@Suite(.timeLimit(.minutes(10))) struct LimiterLoudnessMeterTests {
  private static let ffmpeg = "/usr/bin/ffmpeg"

  @Test(
    "ffmpeg's EBU R 128 meter finds no true peak above the ceiling", .shows("G1"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: ffmpeg)))
  func truePeak() throws {
    let quarter = Signals.sine(
      count: 48_000, cyclesPerSample: 0.25, amplitude: 0.99 * Double(2).squareRoot(), phase: .pi / 4)
    let loud = Signals.sine(count: 48_000, cyclesPerSample: 997 / 48_000, amplitude: 4)
    let noise = Signals.noise(count: 48_000, amplitude: 4, seed: 1)
    for input in [quarter, loud, noise] {
      let unlimited = try peak(of: input)
      #expect(unlimited > 0)
      let node = LimiterNode(channelCount: 1, sampleRate: 48_000, isArmed: true)
      let output = try NodeBench(node, [input], sampleRate: 48_000, frames: 101).output[0]
      // It prints tenths, so that -0.1 stands for anything below -0.05.
      #expect(try peak(of: output) <= LimiterNode.defaultCeiling.value)
    }
  }

  /// The true peak in dB relative to full scale, as ffmpeg prints it.
  private func peak(of samples: [Float]) throws -> Double {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).f32")
    defer { try? FileManager.default.removeItem(at: file) }
    try samples.withUnsafeBytes { Data($0) }.write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.ffmpeg)
    process.arguments = [
      "-nostdin", "-hide_banner", "-f", "f32le", "-ar", "48000", "-ac", "1", "-i", file.path, "-af",
      "ebur128=peak=true:framelog=verbose", "-f", "null", "-",
    ]
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitForEnd()
    let summary = try #require(text.range(of: "True peak:"))
    let line = try #require(text[summary.upperBound...].range(of: "Peak:"))
    let value = text[line.upperBound...].prefix { $0 != "d" }.filter { !$0.isWhitespace }
    return try #require(Double(String(value)))
  }
}
