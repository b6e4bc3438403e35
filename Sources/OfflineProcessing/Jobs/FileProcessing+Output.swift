import AudioFiles
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

  /// Creates the output's writer, in the format that follows from the inputs; returns nil if the job has no output.
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
