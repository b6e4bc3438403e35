import AudioFiles
import AudioGraph

/// Copies samples of a file into another one.
enum SoundCut {
  private static let blockCount = 8_192

  /// Copies samples from a reader's position on.
  ///
  /// - Parameters:
  ///   - reader: file, at the first sample of the part.
  ///   - count: most samples per channel.
  ///   - path: path of the new file, which replaces one of that name.
  ///   - container: kind of the new file.
  /// - Throws: `AudioFileError` of either file.
  static func copy(
    _ reader: AudioFileReader, count: Int, to path: String, container: AudioContainer
  ) throws(AudioFileError) {
    let isLossy = reader.container.sampleFormats.isEmpty
    let options = OutputOptions(
      sampleFormat: reader.sampleFormat, ditherSeed: isLossy ? 1 : nil, ditherStart: .firstInexactSample,
      overwrite: true, speakers: reader.speakers, tags: reader.tags)
    try copy(
      reader, count: count,
      to: try AudioFileOutput.create(path: path, format: reader.format, options: options, container: container))
  }

  /// Copies samples from a reader's position on to a writer, and finishes it.
  ///
  /// - Parameters:
  ///   - reader: file, at the first sample of the part.
  ///   - count: most samples per channel.
  ///   - writer: writer of the reader's format.
  /// - Throws: `AudioFileError` of either file.
  static func copy(
    _ reader: AudioFileReader, count: Int, to writer: any AudioFileWriter
  ) throws(AudioFileError) {
    let block = UnsafeMutablePointer<Float>.allocate(capacity: blockCount * reader.format.channelCount)
    defer { block.deallocate() }
    do throws(AudioFileError) {
      var left = count
      while left > 0 {
        let taken = try reader.read(into: block, stride: blockCount, maximumCount: min(left, blockCount))
        guard taken > 0 else { break }
        try writer.write(block, stride: blockCount, count: taken)
        left -= taken
      }
      try writer.finish()
    } catch {
      writer.abandon()
      throw error
    }
  }
}
