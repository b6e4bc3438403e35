/// Fault of the header of a WAV file.
public enum WAVHeaderError: Error, Hashable, Sendable {
  /// The file has not a single byte.
  case empty
  /// The first four bytes are not RIFF, RIFX, RF64 or BW64.
  case notRIFF
  /// The file is RIFF, but of another form than WAVE.
  case notWAVE
  /// The bytes end within the header, at this offset.
  case cutShort(Int)
  /// The file has thousands of chunks and still no sound.
  case tooManyChunks
  /// The `fmt ` chunk has this many bytes.
  case formatSize(Int)
  /// The `fmt ` chunk is of WAVE_FORMAT_EXTENSIBLE and has this many bytes, fewer than 40.
  case extensibleFormatSize(Int)
  /// The samples are coded in this format tag.
  case codec(UInt16)
  /// WAVE_FORMAT_EXTENSIBLE has a sub-format that is not a format tag.
  case subformat
  /// The file has this many channels.
  case channelCount(Int)
  /// The file has this sample rate in Hz.
  case sampleRate(Int)
  /// A sample has this many bits.
  case bitsPerSample(Int, isFloat: Bool)
  /// A sample of all channels has this many bytes, and should have the expected ones.
  case blockAlign(Int, expected: Int)
  /// A block has this many bytes, which the codec with this format tag does not have.
  case blockSize(Int, codec: UInt16)
  /// A second `fmt ` chunk differs from the first.
  case otherFormat
  /// No `fmt ` chunk stands before the `data` chunk, or before the end.
  case noFormat
  /// The file has no `data` chunk.
  case noData
  /// The header promises this many bytes of sound, and not one sample is there.
  case noSamples(promised: UInt64)
}

extension WAVHeaderError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty:
      "the input is empty; give a file with sound in it"
    case .notRIFF:
      "this is not a WAV file: it does not begin with RIFF; for headerless samples give their format with --raw"
    case .notWAVE:
      "this is a RIFF file, but not of the form WAVE; give a WAV file"
    case .cutShort(let offset):
      "the header is cut short at byte \(offset); copy or download the file again"
    case .tooManyChunks:
      "no sound among the first \(WAVHeaderParser.maximumChunks) chunks; the file is damaged, make it anew"
    case .formatSize(let size):
      "the fmt chunk has \(size) bytes, which is illegal; the file is damaged, make it anew"
    case .extensibleFormatSize(let size):
      "the fmt chunk says that it is extensible, which takes 40 bytes, and has \(size); the file is damaged, make it anew"
    case .codec(let tag):
      "the samples are coded as \(WAVFormatTag.name(of: tag)); convert the file to PCM or float first"
    case .subformat:
      "the extensible fmt chunk names an unknown sub-format; convert the file to PCM or float first"
    case .channelCount(let count):
      "the fmt chunk says \(count) channels; 1 to 8 are possible"
    case .sampleRate(let rate):
      "the fmt chunk says \(rate) Hz; 8000 to 192000 Hz are possible"
    case .bitsPerSample(let bits, let isFloat):
      "the fmt chunk says \(bits) bits a sample; \(isFloat ? "floats have 32 or 64" : "PCM has 8, 16, 24 or 32")"
    case .blockAlign(let found, let expected):
      "the fmt chunk says \(found) bytes a sample of all channels, but its other fields make \(expected); "
        + "the file is damaged, make it anew"
    case .blockSize(let size, let tag):
      "the fmt chunk says blocks of \(size) bytes, which \(WAVFormatTag.name(of: tag)) does not have; "
        + "the file is damaged, make it anew"
    case .otherFormat:
      "two fmt chunks contradict each other; the file is damaged, make it anew"
    case .noFormat:
      "no fmt chunk stands before the sound or the file's end; the file is damaged, make it anew"
    case .noData:
      "the data chunk is missing; the file is damaged or cut short, make it anew"
    case .noSamples(let promised):
      "the header promises \(promised) bytes of sound, but there is not one sample; copy or download the file again"
    }
  }
}
