import AudioFiles
import AudioGraph
import Engine
import Glibc

/// A folder for sound files, which goes with all that is in it.
final class TemporaryFolder {
  private let path: String
  private var names: [String] = []

  init() throws(GateError) {
    var template = Array("/tmp/audiopipe-gate-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw GateError("no temporary folder can be made") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// Writes a mono file of 48 kHz. Returns: its path.
  func writeTone(_ name: String, hertz: Int, seconds: Int, peak: Double) throws -> String {
    names.append(name)
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    let writer = try AudioFileOutput.create(
      path: "\(path)/\(name)", format: format, options: OutputOptions(sampleFormat: .int16))
    let tone = (0..<(48_000 * seconds)).map { index in
      Float(peak * sin(2 * .pi * Double(index * hertz % 48_000) / 48_000))
    }
    try tone.withUnsafeBufferPointer { try writer.write($0.baseAddress!, stride: $0.count, count: $0.count) }
    try writer.finish()
    return "\(path)/\(name)"
  }
}
