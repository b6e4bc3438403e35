import CSndFile
import Glibc

/// One sound file that libsndfile reads or writes, over a descriptor that stays its caller's.
///
/// All input and output goes through functions of our own, so that the cause of a failure is known exactly.
final class SndFile {
  /// What the samples of a file are.
  struct Contents {
    var sampleRate: Int
    var channelCount: Int
    /// Samples per channel; nil where the library does not know.
    var samplesPerChannel: Int?
    /// The format that holds every sample, as far as there is one.
    var sampleFormat: SampleFormat
    /// The loudspeaker of each channel, a bit of WAV's mask; nil where the library does not know.
    var speakers: [UInt32]?
  }

  /// Bytes that stand in a file for others, as far as the library is to know.
  struct Patch {
    var offset: Int
    var bytes: [UInt8]
  }

  private final class Channel {
    let descriptor: Int32
    let output: OutputFile?
    let patch: Patch?
    /// Bytes that the library is to see; nil: all.
    let length: Int?
    var failure: Int32 = 0

    init(descriptor: Int32, output: OutputFile?, patch: Patch? = nil, length: Int? = nil) {
      self.descriptor = descriptor
      self.output = output
      self.patch = patch
      self.length = length
    }
  }

  private let handle: OpaquePointer
  private let channel: Channel

  /// The errno of the first read or write that failed; 0: none did.
  var systemError: Int32 { channel.failure }

  private init(handle: OpaquePointer, channel: Channel) {
    self.handle = handle
    self.channel = channel
  }

  /// Writes what is left to write. Call once, and nothing after it.
  func close() { _ = LibraryChatter.quietly { sf_close(handle) } }

  // MARK: Reading

  /// Opens the file for reading, from its first byte.
  ///
  /// - Parameter length: how many bytes the file is to have, as far as the library is to know; nil: all.
  /// - Throws: `codec` for what is neither PCM, float, G.711 nor one of the compressed formats by name; `decoder` for
  /// what the library refuses.
  static func open(
    descriptor: Int32, path: String, patch: Patch? = nil, length: Int? = nil
  ) throws(AudioFileError) -> (SndFile, Contents) {
    var info = SF_INFO()
    let channel = Channel(descriptor: descriptor, output: nil, patch: patch, length: length)
    guard let file = open(channel, mode: Int32(SFM_READ), info: &info) else {
      if channel.failure != 0 { throw AudioFileError(.read(channel.failure), path: path) }
      let text = String(cString: sf_strerror(nil))
      // What the library says of a file without any sound that it could read.
      let isNoFile = text.hasPrefix("File does not exist")
      throw AudioFileError(.decoder(isNoFile ? "there is no sound in it" : text), path: path)
    }
    guard let sampleFormat = sampleFormat(of: info.format) else {
      let name = name(ofSubtype: info.format)
      file.close()
      throw AudioFileError(.codec(name), path: path)
    }
    let isKnown = info.frames >= 0 && info.frames < sf_count_t.max / 16
    return (
      file,
      Contents(
        sampleRate: Int(info.samplerate), channelCount: Int(info.channels),
        samplesPerChannel: isKnown ? Int(info.frames) : nil, sampleFormat: sampleFormat,
        speakers: file.speakers(channelCount: Int(info.channels)))
    )
  }

  /// True where the library came to something damaged in what it has just read: it may have filled up with zeros, or
  /// given less.
  var hasFailed: Bool { sf_error(handle) != 0 }

  /// Reads interleaved samples. Returns: samples per channel; fewer than `count` at the end or after a failure.
  func read(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Int {
    Int(LibraryChatter.quietly { sf_readf_float(handle, samples, sf_count_t(count)) })
  }

  /// Goes to a sample. Returns: whether it worked.
  func seek(to position: Int) -> Bool {
    LibraryChatter.quietly { sf_seek(handle, sf_count_t(position), SEEK_SET) } >= 0
  }

  // MARK: Tags

  private static func number(of field: AudioTags.Field) -> Int32 {
    let number =
      switch field {
      case .title: SF_STR_TITLE
      case .artist: SF_STR_ARTIST
      case .album: SF_STR_ALBUM
      case .date: SF_STR_DATE
      case .genre: SF_STR_GENRE
      case .track: SF_STR_TRACKNUMBER
      case .comment: SF_STR_COMMENT
      case .copyright: SF_STR_COPYRIGHT
      case .license: SF_STR_LICENSE
      }
    return Int32(number)
  }

  /// Tags of the file, as far as the library knows them.
  var tags: AudioTags {
    var tags = AudioTags()
    for field in AudioTags.Field.allCases {
      tags[field] = sf_get_string(handle, Self.number(of: field)).map { String(cString: $0) }
    }
    return tags
  }

  /// Says it in a file that was just begun; what its kind cannot say is left out.
  func setTags(_ tags: AudioTags) {
    for (field, text) in tags.fields { sf_set_string(handle, Self.number(of: field), text) }
  }

  // MARK: Loudspeakers

  /// What the library calls the loudspeakers of WAV's mask, from its lowest bit on. Stereo has names of its own.
  private static let speakerNames = [
    SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_LFE, SF_CHANNEL_MAP_REAR_LEFT,
    SF_CHANNEL_MAP_REAR_RIGHT, SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER,
    SF_CHANNEL_MAP_REAR_CENTER, SF_CHANNEL_MAP_SIDE_LEFT, SF_CHANNEL_MAP_SIDE_RIGHT,
  ].map { Int32($0) }

  private static let otherNames = [
    Int32(SF_CHANNEL_MAP_FRONT_LEFT): UInt32(1), Int32(SF_CHANNEL_MAP_FRONT_RIGHT): 2,
    Int32(SF_CHANNEL_MAP_FRONT_CENTER): 4, Int32(SF_CHANNEL_MAP_MONO): 4,
  ]

  private func speakers(channelCount: Int) -> [UInt32]? {
    var names = [Int32](repeating: 0, count: channelCount)
    let size = Int32(MemoryLayout<Int32>.size * channelCount)
    guard sf_command(handle, Int32(SFC_GET_CHANNEL_MAP_INFO), &names, size) == SF_TRUE else { return nil }
    let speakers = names.compactMap { name in
      Self.speakerNames.firstIndex(of: name).map { 1 << UInt32($0) } ?? Self.otherNames[name]
    }
    return Set(speakers).count == channelCount ? speakers : nil
  }

  /// Says for which loudspeakers the channels are, bit by bit. Returns: whether the file can say it.
  func setSpeakers(_ mask: UInt32) -> Bool {
    var names = (0..<UInt32(Self.speakerNames.count)).filter { mask >> $0 & 1 == 1 }.map { Self.speakerNames[Int($0)] }
    let size = Int32(MemoryLayout<Int32>.size * names.count)
    return sf_command(handle, Int32(SFC_SET_CHANNEL_MAP_INFO), &names, size) == SF_TRUE
  }

  // MARK: Writing

  /// Whether this kind of file holds such samples.
  static func canHold(
    _ container: AudioContainer, _ sampleFormat: SampleFormat, _ sampleRate: Int, _ channelCount: Int
  ) -> Bool {
    guard var info = info(container, sampleFormat, sampleRate, channelCount) else { return false }
    // The library finds out only while it opens.
    if let rates = container.sampleRates, !rates.contains(sampleRate) { return false }
    return sf_format_check(&info) != 0
  }

  /// Begins a file that `canHold` allows; nil, and the errno if there is one, where the library fails.
  static func create(
    _ output: OutputFile, container: AudioContainer, sampleFormat: SampleFormat, sampleRate: Int,
    channelCount: Int
  ) -> (SndFile?, failure: Int32) {
    guard var info = info(container, sampleFormat, sampleRate, channelCount) else { return (nil, 0) }
    let channel = Channel(descriptor: output.descriptor, output: output)
    guard let file = open(channel, mode: Int32(SFM_WRITE), info: &info) else { return (nil, channel.failure) }
    // Where a kind's header can be mended while writing, a killed program leaves a file that plays. The Vorbis
    // encoder would write its headers once more with each call.
    if [.aiff, .au, .caf, .w64].contains(container) {
      sf_command(file.handle, Int32(SFC_SET_UPDATE_HEADER_AUTO), nil, Int32(SF_TRUE))
    }
    return (file, 0)
  }

  /// Writes interleaved samples of 16 bits. Returns: whether all were taken.
  func write(_ samples: UnsafePointer<Int16>, count: Int) -> Bool {
    sf_writef_short(handle, samples, sf_count_t(count)) == sf_count_t(count) && systemError == 0
  }

  /// Writes interleaved samples of 32 bits, of which a file of 24 bits keeps the upper ones.
  func write(_ samples: UnsafePointer<Int32>, count: Int) -> Bool {
    sf_writef_int(handle, samples, sf_count_t(count)) == count && systemError == 0
  }

  /// Writes interleaved floats.
  func write(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
    sf_writef_float(handle, samples, sf_count_t(count)) == count && systemError == 0
  }

  // MARK: Formats

  private static func info(
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

  private static func sampleFormat(of format: Int32) -> SampleFormat? {
    switch Int(format) & SF_FORMAT_SUBMASK {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: .uint8
    case SF_FORMAT_PCM_16: .int16
    case SF_FORMAT_PCM_24: .int24
    case SF_FORMAT_PCM_32: .int32
    case SF_FORMAT_FLOAT: .float32
    case SF_FORMAT_DOUBLE: .float64
    // A lossy codec has no bits of its own; 16 is what every other program makes of it.
    case SF_FORMAT_ULAW, SF_FORMAT_ALAW, SF_FORMAT_VORBIS, SF_FORMAT_OPUS, SF_FORMAT_MPEG_LAYER_I,
      SF_FORMAT_MPEG_LAYER_II, SF_FORMAT_MPEG_LAYER_III:
      .int16
    default: nil
    }
  }

  private static func name(ofSubtype format: Int32) -> String {
    var info = SF_FORMAT_INFO()
    info.format = format & Int32(SF_FORMAT_SUBMASK)
    let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, size) == 0, let name = info.name else {
      return "an unknown codec"
    }
    return String(cString: name)
  }

  // MARK: Input and output

  private static func open(_ channel: Channel, mode: Int32, info: inout SF_INFO) -> SndFile? {
    var functions = SF_VIRTUAL_IO(
      get_filelen: { user in
        let channel = SndFile.channel(user)
        if let length = channel.length { return sf_count_t(length) }
        var status = stat()
        return fstat(channel.descriptor, &status) == 0 ? sf_count_t(status.st_size) : -1
      },
      seek: { offset, whence, user in
        sf_count_t(lseek(SndFile.channel(user).descriptor, off_t(offset), whence))
      },
      read: { bytes, count, user in SndFile.read(SndFile.channel(user), bytes!, Int(count)) },
      write: { bytes, count, user in SndFile.write(SndFile.channel(user), bytes!, Int(count)) },
      tell: { user in sf_count_t(lseek(SndFile.channel(user).descriptor, 0, SEEK_CUR)) })
    // SAFETY: the SndFile that is made below keeps `channel` alive for as long as the handle is open.
    let user = Unmanaged.passUnretained(channel).toOpaque()
    return LibraryChatter.quietly { sf_open_virtual(&functions, mode, &info, user) }
      .map { SndFile(handle: $0, channel: channel) }
  }

  private static func channel(_ user: UnsafeMutableRawPointer?) -> Channel {
    // SAFETY: always the pointer that `open` passed.
    Unmanaged<Channel>.fromOpaque(user!).takeUnretainedValue()
  }

  private static func read(_ channel: Channel, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> sf_count_t {
    var done = 0
    while done < count {
      let result = Glibc.read(channel.descriptor, bytes + done, count - done)
      if result < 0, errno == EINTR { continue }
      if result < 0, channel.failure == 0 { channel.failure = errno }
      if result <= 0 { break }
      done += result
    }
    if let patch = channel.patch {
      let first = Int(lseek(channel.descriptor, 0, SEEK_CUR)) - done
      for (index, byte) in patch.bytes.enumerated() {
        let place = patch.offset + index - first
        if place >= 0, place < done { bytes.storeBytes(of: byte, toByteOffset: place, as: UInt8.self) }
      }
    }
    return sf_count_t(done)
  }

  private static func write(_ channel: Channel, _ bytes: UnsafeRawPointer, _ count: Int) -> sf_count_t {
    let offset = Int(lseek(channel.descriptor, 0, SEEK_CUR))
    guard let (written, code) = channel.output?.write(bytes, count: count, at: offset) else { return 0 }
    lseek(channel.descriptor, off_t(offset + written), SEEK_SET)
    if code != 0, channel.failure == 0 { channel.failure = code }
    return sf_count_t(written)
  }
}
