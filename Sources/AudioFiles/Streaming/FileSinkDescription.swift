public import AudioGraph

/// A file that a pipeline's sound is written to.
public struct FileSinkDescription: AudioSinkDescription {
  private let path: String
  private let container: AudioContainer?
  private let sampleRate: Int?
  private let options: OutputOptions

  fileprivate init(path: String, container: AudioContainer?, sampleRate: Int?, options: OutputOptions) {
    self.path = path
    self.container = container
    self.sampleRate = sampleRate
    self.options = options
  }

  public func makeSink(in context: PipelineContext) throws -> FileSink {
    let kind = try container ?? AudioContainer.forOutput(path: path)
    let rates = kind.sampleRates ?? [context.sampleRate]
    let rate = sampleRate ?? (rates.contains(context.sampleRate) ? context.sampleRate : 48_000)
    let writer = try AudioFileOutput.create(
      path: path, format: AudioFormat(sampleRate: rate, channelCount: context.channelCount), options: options,
      container: kind)
    return try FileSink(
      writer, sampleRate: context.sampleRate, onRelease: context.ready, endPosition: context.endPosition)
  }
}

extension AudioSinkDescription where Self == FileSinkDescription {
  /// Describes a file at `path`, with the pipeline's channels. It is complete when the run has ended.
  ///
  /// - Parameters:
  ///   - path: Path of the file; its extension says the kind of file, unless `container` does.
  ///   - container: Kind of the file; nil: by the extension.
  ///   - sampleRate: Sample rate in Hz; nil: the pipeline's, or 48000 if this kind of file cannot have that.
  ///   - sampleFormat: Stored format of the samples; lossy kinds ignore it.
  ///   - overwrite: Whether an existing file may be replaced.
  public static func file(
    _ path: String, container: AudioContainer? = nil, sampleRate: Int? = nil, sampleFormat: SampleFormat = .int16,
    overwrite: Bool = false
  ) -> Self {
    .file(
      path, container: container, sampleRate: sampleRate,
      options: OutputOptions(sampleFormat: sampleFormat, overwrite: overwrite))
  }

  /// Describes a file at `path` with options of every kind: dither, tags, loudspeakers.
  public static func file(
    _ path: String, container: AudioContainer? = nil, sampleRate: Int? = nil, options: OutputOptions
  ) -> Self {
    FileSinkDescription(path: path, container: container, sampleRate: sampleRate, options: options)
  }
}
