import AudioGraph

extension AudioFileReader {
  private static let shortness = "the file is shorter than it says: read to the end"

  /// Warns that the file ends early; the warning at the end adds the place.
  func warnOfShortness() {
    isKnownToBeCutShort = true
    let warning = AudioFileWarning(.length, Self.shortness, at: samplesPerChannel ?? 0)
    provisionalWarning = warning
    warnings.append(warning)
  }

  /// Replaces the provisional warning by the findings at the end of the file.
  func replaceProvisionalWarning() {
    guard let provisionalWarning, let index = warnings.firstIndex(of: provisionalWarning) else { return }
    warnings[index] = AudioFileWarning(.length, shortnessWithPlace, at: position)
  }

  private var shortnessWithPlace: String {
    let hundredths = (position * 100 + format.sampleRate / 2) / format.sampleRate
    let seconds = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    return "\(Self.shortness), at \(seconds) s, behind \(position) samples a channel"
  }

  func warnOfJoinedFiles() {
    guard ChainedStreams.follow(in: input, container) else { return }
    let message =
      "another stream follows the first and is left out, as where files were joined; take it out with a program such as ffmpeg"
    warnings.append(AudioFileWarning(.length, message, at: position))
  }

  /// Warns if a FLAC file has more samples than its header says.
  func warnOfSamplesBehindLength() {
    guard container == .flac, let samplesPerChannel, position == samplesPerChannel,
      let count = FLACExtent.sampleCount(input), count > samplesPerChannel
    else { return }
    let message =
      "the header promises \(samplesPerChannel) samples a channel, but there are \(count): those behind are left "
      + "out; let a program such as flac or ffmpeg copy the file anew"
    warnings.append(AudioFileWarning(.length, message, at: position))
  }

  func warnOfSpeakers(_ stored: UInt32) {
    guard format.channelCount > 2, stored != speakers else { return }
    let mask = String(stored, radix: 16, uppercase: true)
    let message =
      "the channels are for other loudspeakers than can be told apart (mask 0x\(mask)): mixed down, and for their "
      + "loudness, they are taken for the usual ones of \(format.channelCount)"
    warnings.append(AudioFileWarning(.speakers, message, at: 0))
  }

  func warnOfRounding(validBits: Int) {
    guard !sampleFormat.isExactInFloat32, sampleFormat.isFloat || validBits > 24 else { return }
    let kind = sampleFormat.isFloat ? "64-bit floats" : "32-bit integers"
    warnings.append(
      AudioFileWarning(
        .rounded, "samples are \(kind) and are rounded to 32-bit floats, which keep 24 bits", at: 0))
  }
}
