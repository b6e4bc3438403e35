import AudioGraph

extension AudioFileWriter {
  /// Writes all samples of a sound, behind those that are there. `finish` completes the file.
  ///
  /// - Parameter sound: Samples in the writer's format.
  /// - Throws: `unsupported` if the sound has another format than the file; the errors of `write`.
  public func write(_ sound: AudioSamples) throws(AudioFileError) {
    sound.checkShape()
    guard sound.format == format else {
      throw AudioFileError(
        .unsupported(
          "the sound to write has \(sound.format), and the file \(format); create the file in the sound's format"),
        path: "output")
    }
    let block = 16_384
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: block * format.channelCount)
    defer { samples.deallocate() }
    var start = 0
    while start < sound.samplesPerChannel {
      let count = min(block, sound.samplesPerChannel - start)
      for (channel, plane) in sound.planes.enumerated() {
        plane.withUnsafeBufferPointer {
          copySamples(from: $0.baseAddress! + start, to: samples + channel * block, count: count)
        }
      }
      try write(samples, stride: block, count: count)
      start += count
    }
  }
}

extension AudioFileOutput {
  /// Writes a sound to a file at `path`, of the kind that its extension means or of `container`.
  ///
  /// - Parameters:
  ///   - sound: Samples, which give the file its rate, channels and loudspeakers.
  ///   - path: Path of the file. It exists under this name once it is whole.
  ///   - container: Kind of the file; nil: by the extension.
  ///   - sampleFormat: Stored format of the samples; lossy kinds ignore it. Integers cut samples beyond full scale.
  ///   - overwrite: Whether an existing file may be replaced.
  /// - Returns: Count of samples that were cut to full scale.
  /// - Throws: The errors of `create`, `write` and `finish`. The path then has no file, or still the old one.
  @discardableResult
  public static func write(
    _ sound: AudioSamples, to path: String, container: AudioContainer? = nil, sampleFormat: SampleFormat = .int16,
    overwrite: Bool = false
  ) throws(AudioFileError) -> Int {
    let writer = try create(
      path: path, format: sound.format,
      options: OutputOptions(sampleFormat: sampleFormat, overwrite: overwrite, speakers: sound.speakers),
      container: container)
    do {
      try writer.write(sound)
    } catch {
      writer.abandon()
      throw error
    }
    try writer.finish()
    return writer.clippedSamples
  }
}
