/// Reads what libsndfile decodes.
final class SndFileSource: SampleSource {
  /// Interleaved samples that one call decodes at most: 256 KiB.
  private static let blockSamples = 64 * 1024

  let samplesPerChannel: Int?
  private(set) var nonFiniteSamples = 0
  private(set) var firstNonFinite: Int?
  private(set) var isCutShort = false
  let isSeekable = true

  private let file: SndFile
  private let input: InputDescriptor
  private let channelCount: Int
  /// False where the length is the library's guess.
  private let isLengthKnown: Bool
  private let staging: UnsafeMutablePointer<Float>
  private var position = 0
  /// True once the library has come to something damaged: what it gives after that, if it does, lies anywhere.
  private var isDamaged = false

  /// Takes over an open file, which reads from `input`.
  init(_ file: SndFile, _ contents: SndFile.Contents, isLengthKnown: Bool, input: InputDescriptor) {
    self.file = file
    self.isLengthKnown = isLengthKnown
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
    while done < count {
      let wanted = min(count - done, Self.blockSamples / channelCount)
      var got = isDamaged ? 0 : file.read(staging, count: wanted)
      if file.systemError != 0 { throw AudioFileError(.read(file.systemError), path: input.path) }
      if !isDamaged, file.hasFailed {
        isDamaged = true
        got = decoded(got)
      }
      if got <= 0 {
        isCutShort = (isLengthKnown || isDamaged) && position + done < samplesPerChannel ?? 0
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
    isDamaged = false
  }

  /// How many of the samples in the staging area were there: the library fills up with zeros.
  private func decoded(_ count: Int) -> Int {
    var end = max(0, count) * channelCount
    while end > 0, staging[end - 1] == 0 { end -= 1 }
    return (end + channelCount - 1) / channelCount
  }

  func warningsAtEnd() -> [AudioFileWarning] {
    guard isCutShort, let samplesPerChannel else { return [] }
    let promise = "the file promises \(samplesPerChannel) samples a channel, but"
    let message =
      isDamaged
      ? "\(promise) it is damaged or ends behind \(position), and is read no further; mend it, or make it anew"
      : "\(promise) \(position) could be decoded"
    return [AudioFileWarning(.length, message, at: position)]
  }
}
