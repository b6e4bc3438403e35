import CSndFile

extension SndFile {
  static func info(
    _ container: AudioContainer, _ sampleFormat: SampleFormat, _ sampleRate: Int, _ channelCount: Int
  ) -> SF_INFO? {
    guard let format = format(of: container, sampleFormat) else { return nil }
    var info = SF_INFO()
    info.samplerate = Int32(sampleRate)
    info.channels = Int32(channelCount)
    info.format = format
    return info
  }

  private static func format(of container: AudioContainer, _ sampleFormat: SampleFormat) -> Int32? {
    let (signed8, unsigned8) = (SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8)
    func stored(_ eight: Int) -> Int {
      switch sampleFormat {
      case .uint8: eight
      case .int16: SF_FORMAT_PCM_16
      case .int24: SF_FORMAT_PCM_24
      case .int32: SF_FORMAT_PCM_32
      case .float32: SF_FORMAT_FLOAT
      case .float64: SF_FORMAT_DOUBLE
      }
    }
    let format: Int? =
      switch container {
      case .flac:
        sampleFormat == .uint8 || sampleFormat == .int16 || sampleFormat == .int24
          ? SF_FORMAT_FLAC | stored(signed8) : nil
      case .ogg: SF_FORMAT_OGG | SF_FORMAT_VORBIS
      case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
      case .mp3: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
      case .aiff: SF_FORMAT_AIFF | stored(signed8)
      case .au: SF_FORMAT_AU | stored(signed8)
      case .caf: SF_FORMAT_CAF | stored(signed8)
      case .w64: SF_FORMAT_W64 | stored(unsigned8)
      case .wav, .raw: nil
      }
    return format.map(Int32.init)
  }

  static func sampleFormat(of format: Int32) -> SampleFormat? {
    switch Int(format) & SF_FORMAT_SUBMASK {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: .uint8
    case SF_FORMAT_PCM_16: .int16
    case SF_FORMAT_PCM_24: .int24
    case SF_FORMAT_PCM_32: .int32
    case SF_FORMAT_FLOAT: .float32
    case SF_FORMAT_DOUBLE: .float64
    // A lossy codec has no bit depth; all other programs take it as 16.
    case SF_FORMAT_ULAW, SF_FORMAT_ALAW, SF_FORMAT_GSM610, SF_FORMAT_IMA_ADPCM, SF_FORMAT_MS_ADPCM,
      SF_FORMAT_VORBIS, SF_FORMAT_OPUS, SF_FORMAT_MPEG_LAYER_I, SF_FORMAT_MPEG_LAYER_II, SF_FORMAT_MPEG_LAYER_III:
      .int16
    default: nil
    }
  }

  static func name(ofSubtype format: Int32) -> String {
    var info = SF_FORMAT_INFO()
    info.format = format & Int32(SF_FORMAT_SUBMASK)
    let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, size) == 0, let name = info.name else {
      return "an unknown codec"
    }
    return String(cString: name)
  }
}
