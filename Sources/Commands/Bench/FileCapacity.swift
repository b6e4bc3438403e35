import AudioFiles
import AudioGraph
import CommandLineKit
import Effects
import Glibc
import OfflineProcessing

/// Measures how fast a file is processed.
enum FileCapacity {
  private static let seconds = 120

  /// Returns the hours of audio that are processed in an hour, in the best of two runs.
  static func measure() throws -> Double {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/audiopipe-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(
        .cannotCreate, "no folder can be made in \(parent): \(systemErrorText(errno)); set TMPDIR to another")
    }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let (input, output) = ("\(folder)/in.wav", "\(folder)/out.wav")
    defer {
      unlink(input)
      unlink(output)
      rmdir(folder)
    }
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
    job.output = .path(output, container: nil)
    job.gain = Decibels(-3)
    job.panning = try Panning(-0.3)
    job.overwrite = true
    let cost = try (0..<2).map { _ in
      try ContinuousClock().measure { _ = try job.prepare().run() } / .seconds(1)
    }.min()!
    return Double(seconds) / cost
  }
}
