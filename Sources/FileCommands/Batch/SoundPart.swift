import AudioFiles
import AudioGraph
import CommandLineKit
import Engine
import Glibc
import JSON
import Platform

/// A part of a sound file as a WAV file without a name, with the same samples; it goes with this object.
final class SoundPart {
  private let descriptor: Int32
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
    descriptor = UnnamedFile.make(in: folder)
    guard descriptor >= 0 else { throw AudioFileError(.spool(errno, folder: folder), path: source) }
    sampleFormat = reader.sampleFormat
    do throws(AudioFileError) {
      try reader.seek(to: begin)
      let wanted = duration.map { Int((($0 + start) * rate).rounded()) - begin }
      // Samples of a lossy file stay as they are decoded.
      let isLossy = reader.container.sampleFormats.isEmpty
      let writer = try WAVWriter(
        descriptor: descriptor, name: folder, format: reader.format,
        options: OutputOptions(
          sampleFormat: isLossy ? .float32 : reader.sampleFormat, speakers: reader.speakers, tags: reader.tags))
      try SoundCut.copy(reader, count: wanted ?? .max, to: writer)
      let missing = Double((wanted ?? 0) - writer.samplesPerChannel) / rate
      // A manifest's numbers are rounded.
      let isShort = missing > 0.01
      warnings =
        reader.warnings.map(\.message)
        + (isShort
          ? ["the part ends \(JSONWriter.digits(missing, 3)) s behind the end of the file, and is as much shorter"]
          : [])
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Path of the file while it is open.
  var path: String { "/proc/self/fd/\(descriptor)" }

  deinit { close(descriptor) }
}
