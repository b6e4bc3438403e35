import AudioFiles

extension FileProcessing {
  /// The output's writer, in the format that the inputs lead to; nil where no output is wanted.
  func makeWriter(as inputs: OpenedInputs) throws(AudioFileError) -> (any AudioFileWriter)? {
    let options = OutputOptions(
      sampleFormat: inputs.outputSampleFormat, ditherSeed: dither == .never ? nil : seed,
      ditherStart: dither == .always ? .atOnce : .firstInexactSample, overwrite: overwrite,
      speakers: inputs.outputSpeakers)
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
