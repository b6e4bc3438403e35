import AudioFiles
import AudioGraph
import Foundation
import TestSupport
import Testing

/// A folder of its own for a test, removed at the end.
final class ScratchFolder {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "audiopipe-" + UUID().uuidString
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ bytes: [UInt8], to name: String) -> String {
    #expect(FileManager.default.createFile(atPath: file(name), contents: Data(bytes)))
    return file(name)
  }
}

/// Planes of samples, as the readers and writers take them.
struct Planes: Equatable {
  var channels: [[Float]]

  var count: Int { channels[0].count }

  init(_ channels: [[Float]]) { self.channels = channels }

  /// Writes all, in calls of `block` samples.
  func write(to writer: any AudioFileWriter, block: Int = 4_999) throws {
    let flat = channels.flatMap { $0 }
    try flat.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      var done = 0
      while done < count {
        let length = min(block, count - done)
        try writer.write(base + done, stride: count, count: length)
        done += length
      }
    }
  }

  /// Reads to the end, in calls of `block` samples.
  static func read(_ reader: AudioFileReader, block: Int = 7_001) throws -> Planes {
    let channelCount = reader.format.channelCount
    var channels = [[Float]](repeating: [], count: channelCount)
    var buffer = [Float](repeating: .nan, count: block * channelCount)
    while true {
      let count = try buffer.withUnsafeMutableBufferPointer {
        try reader.read(into: $0.baseAddress!, stride: block, maximumCount: block)
      }
      if count == 0 { return Planes(channels) }
      for channel in 0..<channelCount {
        channels[channel] += buffer[channel * block..<channel * block + count]
      }
    }
  }

  static func read(path: String) throws -> Planes { try read(AudioFileReader.open(path: path)) }
}

/// Samples that `format` stores exactly: full scale both ways, steps from end to end, and random ones.
func exactSamples(_ format: SampleFormat, channels: Int, count: Int, seed: UInt64) -> Planes {
  var generator = SeededGenerator(seed: seed)
  let bits = format.isFloat ? 24 : min(24, format.bitDepth)
  let limit = 1 << (bits - 1)
  let scale = 1 / Float(limit)
  return Planes(
    (0..<channels).map { channel in
      (0..<count).map { index in
        switch index / 64 % 4 {
        case 0: index / 8 % 2 == channel % 2 ? -1 : Float(limit - 1) * scale
        case 1: Float([0, 1, -1, limit - 1, -limit, limit / 2][index % 6]) * scale
        default: Float(Int.random(in: -limit..<limit, using: &generator)) * scale
        }
      }
    })
}

/// The bytes of a file.
func fileBytes(_ path: String) -> [UInt8] {
  FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
}

/// The error that `body` throws, if it is a file's.
func fileError(_ body: () throws -> Void) -> AudioFileError? {
  do { try body() } catch { return error as? AudioFileError }
  return nil
}
