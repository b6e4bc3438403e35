import AudioFiles
import AudioGraph
import Glibc

extension FileProcessing {
  /// Name of the output in messages.
  var outputName: String {
    switch output {
    case .none: ""
    case .path(let path, _): path
    case .descriptor(_, let name): name
    }
  }

  /// Whether the job writes sound.
  var hasOutput: Bool {
    if case .none = output { return false }
    return true
  }

  /// Whether the output replaces a file that is there now.
  var replacesFile: Bool {
    guard case .path(let path, _) = output, overwrite else { return false }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the rate of the output: `rate` if it supports that, otherwise the next above, or its highest.
  func outputRate(insteadOf rate: Int) -> Int {
    guard case .path(let path, let container) = output,
      let rates = (container ?? AudioContainer(path: path))?.sampleRates
    else { return rate }
    return rates.contains(rate) ? rate : rates.filter { $0 > rate }.min() ?? rates.max()!
  }

  /// Checks the loudness target.
  ///
  /// - Throws: `.invalidArgument` for a value out of range, and for a target without an output.
  func checkLoudness() throws(EngineError) {
    guard let loudnessTarget else { return }
    try loudnessTarget.check()
    guard hasOutput else { throw EngineError(.invalidArgument, "a loudness target needs an output; name one") }
  }

  private func outputOptions(as inputs: OpenedInputs) -> OutputOptions {
    OutputOptions(
      sampleFormat: inputs.outputSampleFormat, ditherSeed: dither == .never ? nil : seed,
      ditherStart: dither == .always ? .atOnce : .firstInexactSample, overwrite: overwrite,
      speakers: inputs.outputSpeakers, tags: keepsTags ? inputs.first.reader.tags : AudioTags())
  }

  /// Creates the leveler of the output; returns nil for a job without a loudness target.
  func makeLeveler(for writer: (any AudioFileWriter)?, as inputs: OpenedInputs) throws -> OutputLeveler? {
    guard let loudnessTarget, let writer else { return nil }
    let options = outputOptions(as: inputs)
    let (format, sampleFormat) = (writer.format, writer.sampleFormat)
    let isRounded = !storesFloats(sampleFormat)
    do {
      let encoding = lossyContainer.map { EncodedTrial(container: $0, options: options) }
      return try OutputLeveler(loudnessTarget, writer, speakers: inputs.outputSpeakers, encoding: encoding) {
        isRounded ? SampleRounding(format, sampleFormat, options: options) : nil
      }
    } catch {
      writer.abandon()
      throw error
    }
  }

  /// Whether the output takes Float32 as it is: floating point, or a lossy kind, which has no sample format.
  private func storesFloats(_ sampleFormat: SampleFormat) -> Bool {
    lossyContainer != nil || sampleFormat == .float32 || sampleFormat == .float64
  }

  /// Kind of a lossy output; nil for an output that keeps its samples.
  private var lossyContainer: AudioContainer? {
    guard case .path(let path, let container) = output, let kind = container ?? AudioContainer(path: path),
      kind.sampleFormats.isEmpty
    else { return nil }
    return kind
  }

  /// Creates the output's writer, in the format that follows from the inputs; returns nil if the job has no output.
  func makeWriter(as inputs: OpenedInputs) throws(AudioFileError) -> (any AudioFileWriter)? {
    let options = outputOptions(as: inputs)
    switch output {
    case .none: return nil
    case .path(let path, let container):
      return try AudioFileOutput.create(
        path: path, format: inputs.outputFormat, options: options, container: container, isCancelled: isCancelled)
    case .descriptor(let descriptor, let name):
      return try WAVWriter(
        descriptor: descriptor, name: name, format: inputs.outputFormat, options: options, isCancelled: isCancelled)
    }
  }
}
