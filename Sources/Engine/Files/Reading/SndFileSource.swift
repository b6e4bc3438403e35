/// Reads what libsndfile decodes.
final class SndFileSource: SampleSource {
  /// Interleaved samples that one call decodes at most: 256 KiB.
  private static let blockSamples = 64 * 1024

  let samplesPerChannel: Int?
  private(set) var nonFiniteSamples = 0
  private(set) var firstNonFinite: Int?
  private(set) var isCutShort = false
  private(set) var hasGap = false
  let isSeekable = true

  private let file: SndFile
  private let input: InputDescriptor
  private let channelCount: Int
  private let staging: UnsafeMutablePointer<Float>
  private var position = 0

  /// Takes over an open file, which reads from `input`.
  init(_ file: SndFile, _ contents: SndFile.Contents, input: InputDescriptor) {
    self.file = file
    self.input = input
    channelCount = contents.channelCount
    samplesPerChannel = contents.samplesPerChannel
    staging = .allocate(capacity: Self.blockSamples + SampleDecoder.slack)
  }

  deinit {
    file.close()
    staging.deallocate()
  }

  func read(
    into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount count: Int
  ) throws(AudioFileError) -> Int {
    var done = 0
    hasGap = false
    while done < count {
      let wanted = min(count - done, Self.blockSamples / channelCount)
      let got = file.read(staging, count: wanted)
      if file.systemError != 0 { throw AudioFileError(.read(file.systemError), path: input.path) }
      // Fewer samples and a failure are the end of a file that is cut short.
      if got == wanted, file.hasFailed { hasGap = true }
      if got <= 0 {
        isCutShort = position + done < samplesPerChannel ?? 0
        break
      }
      let found = SampleDecoder.decode(
        staging, as: .float32, channelCount: channelCount, count: got, into: base + done, stride: stride)
      if found > 0, firstNonFinite == nil {
        let index = SampleDecoder.firstNonFinite(staging, as: .float32, channelCount: channelCount, count: got)
        firstNonFinite = position + done + (index ?? 0)
      }
      nonFiniteSamples += found
      done += got
    }
    position += done
    return done
  }

  func seek(to position: Int) throws(AudioFileError) {
    guard file.seek(to: position) else {
      throw AudioFileError(.decoder("there is no way to sample \(position)"), path: input.path)
    }
    self.position = position
  }

  func warningsAtEnd() -> [AudioFileWarning] {
    guard isCutShort, let samplesPerChannel else { return [] }
    let message = "the file promises \(samplesPerChannel) samples a channel, but \(position) could be decoded"
    return [AudioFileWarning(.length, message, at: position)]
  }
}
