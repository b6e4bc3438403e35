package import AudioFiles
import AudioGraph
import Glibc

/// Sound files of a test, removed with it.
package final class TestFiles {
  package let folder: String

  package init() {
    var template = Array("/tmp/audiopipe-test-XXXXXX".utf8CString)
    folder = String(cString: mkdtemp(&template))
  }

  deinit {
    for name in names { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  private var names: [String] = []

  package func path(_ name: String) -> String {
    if !names.contains(name) { names.append(name) }
    return "\(folder)/\(name)"
  }

  /// Writes planes of samples and returns the file's path.
  package func write(
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
  package func read(_ path: String) throws -> [[Float]] {
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

  package func bytes(_ path: String) -> [UInt8] {
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
