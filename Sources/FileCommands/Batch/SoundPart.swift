import AudioFiles
import AudioGraph
import CommandLineKit
import Engine
import Glibc
import Platform

/// A part of a sound file as a temporary WAV file with the same samples; removed at the end.
final class SoundPart {
  let path: String
  /// Sample format of the file that the part is of.
  let sampleFormat: SampleFormat
  let warnings: [String]

  /// Copies a part to TMPDIR, or else to /tmp.
  ///
  /// - Parameters:
  ///   - source: path of the whole file.
  ///   - start: beginning of the part, in seconds.
  ///   - duration: length of the part in seconds; nil up to the end.
  /// - Throws: exit code 65 if the part begins behind the end; `AudioFileError`.
  init(of source: String, start: Double, duration: Double?) throws {
    let reader = try AudioFileReader.open(path: source)
    guard reader.isSeekable else { throw AudioFileError(.pipeCannotGoBack, path: source) }
    let rate = Double(reader.format.sampleRate)
    let begin = Int((start * rate).rounded())
    if let count = reader.samplesPerChannel, begin >= count {
      throw CommandFailure(.badData, "\(source): the part from \(start) s begins behind the end of the file")
    }
    let folder = UnnamedFile.folder
    var name = Array("\(folder)/audiopipe-part-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw AudioFileError(.spool(errno, folder: folder), path: source) }
    close(descriptor)
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    sampleFormat = reader.sampleFormat
    do {
      try reader.seek(to: begin)
      let count = duration.map { Int((($0 + start) * rate).rounded()) - begin } ?? .max
      try SoundCut.copy(reader, count: count, to: path, container: .wav, isExact: true)
      warnings = reader.warnings.map(\.message)
    } catch {
      unlink(path)
      throw error
    }
  }

  deinit { unlink(path) }
}
