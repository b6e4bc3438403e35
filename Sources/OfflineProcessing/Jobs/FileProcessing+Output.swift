import AudioFiles

extension FileProcessing {
  /// What messages call the output.
  var outputName: String {
    switch output {
    case .none: ""
    case .path(let path, _): path
    case .descriptor(_, let name): name
    }
  }

  /// The rate that the output can have in place of `rate`, where it cannot have that: the next above, or its highest.
  func outputRate(insteadOf rate: Int) -> Int {
    guard case .path(let path, let container) = output,
      let rates = (container ?? AudioContainer(path: path))?.sampleRates
    else { return rate }
    return rates.contains(rate) ? rate : rates.filter { $0 > rate }.min() ?? rates.max()!
  }

  /// The output's writer, in the format that the inputs lead to; nil where no output is wanted.
  func makeWriter(as inputs: OpenedInputs) throws(AudioFileError) -> (any AudioFileWriter)? {
    let options = OutputOptions(
      sampleFormat: inputs.outputSampleFormat, ditherSeed: dither == .never ? nil : seed,
      ditherStart: dither == .always ? .atOnce : .firstInexactSample, overwrite: overwrite,
      speakers: inputs.outputSpeakers, tags: keepsTags ? inputs.first.reader.tags : AudioTags())
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
