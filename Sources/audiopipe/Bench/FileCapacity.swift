import AudioFiles
import AudioGraph
import Effects
import Foundation
import OfflineProcessing

/// Measures how fast a file is processed.
enum FileCapacity {
  private static let seconds = 120

  /// Returns the hours of audio that are processed in an hour, in the best of two runs.
  static func measure() throws -> Double {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("audiopipe-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let input = folder.appendingPathComponent("in.wav").path
    let writer = try AudioFileOutput.create(
      path: input, format: AudioFormat(sampleRate: 48_000, channelCount: 2),
      options: OutputOptions(sampleFormat: .int16))
    let second = (0..<96_000).map { Float($0 % 441) / 4_410 - 0.05 }
    for _ in 0..<seconds {
      try second.withUnsafeBufferPointer { try writer.write($0.baseAddress!, stride: 48_000, count: 48_000) }
    }
    try writer.finish()
    var job = FileProcessing()
    job.input = .path(input)
    job.output = .path(folder.appendingPathComponent("out.wav").path, container: nil)
    job.gain = Decibels(-3)
    job.panning = try Panning(-0.3)
    job.overwrite = true
    let cost = try (0..<2).map { _ in
      try ContinuousClock().measure { _ = try job.prepare().run() } / .seconds(1)
    }.min()!
    return Double(seconds) / cost
  }
}
