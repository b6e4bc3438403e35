import AudioFiles
import AudioGraph
import Engine
import Glibc

/// Sound files of a test, removed with it.
final class TestFiles {
  let folder: String

  init() {
    var template = Array("/tmp/audiopipe-test-XXXXXX".utf8CString)
    folder = String(cString: mkdtemp(&template))
  }

  deinit {
    for name in names { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  private var names: [String] = []

  func path(_ name: String) -> String {
    if !names.contains(name) { names.append(name) }
    return "\(folder)/\(name)"
  }

  /// Writes planes of samples and returns the file's path.
  func write(
    _ name: String, _ planes: [[Float]], sampleRate: Int = 48_000, as sampleFormat: SampleFormat = .int16,
    speakers: UInt32 = 0
  ) throws -> String {
    let path = path(name)
    let format = try AudioFormat(sampleRate: sampleRate, channelCount: planes.count)
    let writer = try AudioFileOutput.create(
      path: path, format: format,
      options: OutputOptions(sampleFormat: sampleFormat, overwrite: true, speakers: speakers))
    try planes.flatMap { $0 }.withUnsafeBufferPointer {
      try writer.write($0.baseAddress!, stride: planes[0].count, count: planes[0].count)
    }
    try writer.finish()
    return path
  }

  /// All samples of a file, plane by plane.
  func read(_ path: String) throws -> [[Float]] {
    let reader = try AudioFileReader.open(path: path)
    let capacity = 1 << 20
    var memory = [Float](repeating: 0, count: capacity * reader.format.channelCount)
    var count = 0
    try memory.withUnsafeMutableBufferPointer { buffer in
      while true {
        let got = try reader.read(into: buffer.baseAddress! + count, stride: capacity, maximumCount: capacity - count)
        if got == 0 { break }
        count += got
      }
    }
    return (0..<reader.format.channelCount).map { Array(memory[$0 * capacity..<$0 * capacity + count]) }
  }

  func bytes(_ path: String) -> [UInt8] {
    let file = fopen(path, "r")!
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&block, 1, block.count, file)
      if count == 0 { return bytes }
      bytes += block[..<count]
    }
  }
}

/// Noise that repeats from a seed, on the grid of 16-bit samples so that files of every format keep it.
func seededNoise(count: Int, seed: UInt64, amplitude: Float = 0.5) -> [Float] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    let unit = Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    return min(32_767, (unit * amplitude * 32_768).rounded()) / 32_768
  }
}
