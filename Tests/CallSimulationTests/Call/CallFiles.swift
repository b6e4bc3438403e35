import AudioFiles
import AudioGraph
import Engine
import Foundation
import NetworkSimulation
import Platform

/// Sound files of a simulated call, removed with it.
final class CallFiles {
  private let root: URL

  init() {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("audiopipe-call-\(UUID().uuidString)")
    try! FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func path(_ name: String) -> String { root.appendingPathComponent(name).path }

  func folder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  func contents(_ folder: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path(folder)) {
      contents[name] = try Data(contentsOf: root.appendingPathComponent("\(folder)/\(name)"))
    }
    return contents
  }

  /// A sine of a whole frequency with an amplitude of 0.25, in a file that is named after it.
  func tone(_ hertz: Double, seconds: Double) throws -> String {
    let name = path("\(Int(hertz)).wav")
    let count = Int(seconds * 48_000)
    // A second has whole periods of a whole frequency.
    let second = (0..<48_000).map { Float(0.25 * sin(2 * .pi * hertz * Double($0) / 48_000)) }
    return try write((0..<count).map { second[$0 % second.count] }, to: name)
  }

  /// A tone with harmonics whose pitch and level wander, so that no lag but the right one looks right.
  func voice(_ name: String, seed: UInt64, seconds: Double) throws -> String {
    if FileManager.default.fileExists(atPath: path(name)) { return path(name) }
    var random = RandomStream(seed: seed)
    var (phase, pitch, level) = (0.0, 140.0, 0.0)
    let count = Int(seconds * 48_000)
    var samples = [Float](repeating: 0, count: count)
    for index in 0..<count {
      if index % 4_800 == 0 {
        pitch = random.uniform(in: 90...220)
        level = random.uniform(in: 0.02...0.2)
      }
      phase += pitch / 48_000
      for harmonic in 1...5 {
        samples[index] += Float(level / Double(harmonic) * sin(2 * .pi * phase * Double(harmonic)))
      }
    }
    return try write(samples, to: path(name))
  }

  /// Writes a file with one channel.
  func write(_ samples: [Float], to path: String) throws -> String {
    let writer = try AudioFileOutput.create(
      path: path, format: try AudioFormat(sampleRate: 48_000, channelCount: 1),
      options: OutputOptions(sampleFormat: .int16, overwrite: true))
    try writer.write(samples, stride: samples.count, count: samples.count)
    try writer.finish()
    return path
  }

  func samples(_ name: String) throws -> [Float] {
    let reader = try AudioFileReader.open(path: path(name))
    var samples = [Float](repeating: 0, count: reader.samplesPerChannel ?? 0)
    let got = try samples.withUnsafeMutableBufferPointer {
      try reader.read(into: $0.baseAddress!, stride: $0.count, maximumCount: $0.count)
    }
    return Array(samples[..<got])
  }
}
