/// Reads samples that a library decodes.
final class EncodedSource: SampleSource {
  /// Interleaved samples that one call decodes at most: 256 KiB.
  private static let blockSamples = 64 * 1024

  let samplesPerChannel: Int?
  private(set) var nonFiniteSamples = 0
  private(set) var firstNonFinite: Int?
  private(set) var isCutShort = false
  let isSeekable = true

  private let file: any EncodedFile
  private let input: InputDescriptor
  private let channelCount: Int
  /// Samples per channel that are given, however many the library has.
  private let limit: Int
  /// Order of the library's channels; nil if it is WAV's.
  private let order: ChannelOrder?
  private let staging: UnsafeMutablePointer<Float>
  private var position = 0
  /// Whether the library has come to a damaged part; its later samples, if any, have no certain position.
  private var isDamaged = false

  /// Samples that were decoded during opening and not yet given: their beginning in the staging area, and their count.
  private var held = (begin: 0, count: 0)

  /// Takes over an open file, which reads from `input`.
  ///
  /// - Parameters:
  ///   - file: Open file.
  ///   - contents: Description of its samples.
  ///   - isShort: Whether the file is known to end early, which the library may have corrected.
  ///   - limit: Samples per channel that are given, however many the library has; nil: all.
  ///   - order: Order of the library's channels; nil: WAV's.
  ///   - input: Descriptor of the file.
  /// - Throws: An error if not one of the promised samples can be decoded.
  init(
    _ file: any EncodedFile, _ contents: EncodedContents, isShort: Bool, limit: Int? = nil,
    order: ChannelOrder?, input: InputDescriptor
  ) throws(AudioFileError) {
    self.file = file
    self.order = order
    self.limit = limit ?? .max
    self.input = input
    channelCount = contents.channelCount
    samplesPerChannel = contents.samplesPerChannel
    staging = .allocate(capacity: Self.blockSamples + SampleDecoder.slack)
    held.count = try decode(min(Self.blockSamples / channelCount, self.limit))
    guard held.count > 0 || (samplesPerChannel == 0 && !isShort) else {
      throw AudioFileError(
        .decoder("there is not one sample that can be decoded; copy or download the file again"), path: input.path)
    }
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
      let wanted = min(count - done, Self.blockSamples / channelCount, max(0, limit - position - done))
      if held.count == 0, wanted > 0 { held = (0, try decode(wanted)) }
      let got = min(wanted, held.count)
      let samples = staging + held.begin * channelCount
      held = (held.begin + got, held.count - got)
      if got == 0 {
        isCutShort = position + done < samplesPerChannel ?? 0
        break
      }
      let found = SampleDecoder.decode(
        samples, as: .float32, channelCount: channelCount, count: got, into: base + done, stride: stride)
      if found > 0, firstNonFinite == nil {
        let index = SampleDecoder.firstNonFinite(samples, as: .float32, channelCount: channelCount, count: got)
        firstNonFinite = position + done + (index ?? 0)
      }
      nonFiniteSamples += found
      done += got
    }
    position += done
    return done
  }

  func seek(to position: Int) throws(AudioFileError) {
    let first = max(0, position - file.leadCount)
    isDamaged = false
    held = (0, 0)
    guard file.seek(to: first), try skip(position - first) else {
      throw AudioFileError(.decoder("sample \(position) cannot be reached"), path: input.path)
    }
    self.position = position
  }

  /// Decodes samples and drops them.
  ///
  /// - Returns: Whether there were as many.
  private func skip(_ count: Int) throws(AudioFileError) -> Bool {
    var left = count
    while left > 0 {
      let got = try decode(min(left, Self.blockSamples / channelCount))
      if got == 0 { return false }
      left -= got
    }
    return true
  }

  /// Decodes into the staging area.
  ///
  /// - Returns: Samples per channel; 0 at the end, or if the end is damaged.
  private func decode(_ count: Int) throws(AudioFileError) -> Int {
    guard !isDamaged else { return 0 }
    let got = file.read(staging, count: count)
    if file.systemError != 0 { throw AudioFileError(.read(file.systemError), path: input.path) }
    isDamaged = file.hasFailed
    order?.toWAV(staging, count: got)
    return got
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
