import CSndFile

/// One sound file that libsndfile reads or writes, over a descriptor that the caller closes.
///
/// Calls for 10 ms of sound cost four times as much as calls for large blocks.
final class SndFile: EncodedFile {
  private(set) var handle: OpaquePointer
  let leadCount = 0
  private let info: SF_INFO
  private let channel: LibraryChannel
  private let channelCount: Int

  var systemError: Int32 { channel.failure }

  private init(handle: OpaquePointer, channel: LibraryChannel, info: SF_INFO) {
    self.handle = handle
    self.channel = channel
    channelCount = Int(info.channels)
    self.info = info
  }

  /// Writes the last bytes and closes the file. Call it once, and nothing after it.
  func close() { _ = LibraryOutputFilter.quietly { sf_close(handle) } }

  // MARK: Reading

  /// Opens the file for reading, from its first byte.
  ///
  /// - Parameters:
  ///   - descriptor: Descriptor of the file.
  ///   - path: Name of the file in messages.
  ///   - view: Bytes of the file that the library sees; without one, all.
  /// - Throws: `codec` for a codec other than PCM, float, G.711 and the compressed formats by name; `decoder` if the
  ///   library refuses the file.
  static func open(
    descriptor: Int32, path: String, view: LibraryChannel.View = .init()
  ) throws(AudioFileError) -> (SndFile, EncodedContents) {
    var info = SF_INFO()
    let channel = LibraryChannel(descriptor: descriptor, view: view)
    channel.rewind()
    guard let file = open(channel, mode: Int32(SFM_READ), info: &info) else {
      if channel.failure != 0 { throw AudioFileError(.read(channel.failure), path: path) }
      let text = String(cString: sf_strerror(nil))
      // The library's message for a file without any sound that it could read.
      let isNoFile = text.hasPrefix("File does not exist")
      throw AudioFileError(.decoder(isNoFile ? "it has no sound" : text), path: path)
    }
    guard let sampleFormat = sampleFormat(of: info.format) else {
      let name = name(ofSubtype: info.format)
      file.close()
      throw AudioFileError(.codec(name), path: path)
    }
    let isKnown = info.frames >= 0 && info.frames < sf_count_t.max / 16
    return (
      file,
      EncodedContents(
        sampleRate: Int(info.samplerate), channelCount: Int(info.channels),
        samplesPerChannel: isKnown ? Int(info.frames) : nil, sampleFormat: sampleFormat,
        speakers: file.speakers(channelCount: Int(info.channels)))
    )
  }

  var hasFailed: Bool { sf_error(handle) != 0 }

  func read(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Int {
    let got = max(0, Int(LibraryOutputFilter.quietly { sf_readf_float(handle, samples, sf_count_t(count)) }))
    guard hasFailed else { return got }
    // The library fills up with zeros behind the damage.
    var end = got * channelCount
    while end > 0, samples[end - 1] == 0 { end -= 1 }
    return (end + channelCount - 1) / channelCount
  }

  func seek(to position: Int) -> Bool {
    guard info.seekable == SF_FALSE else {
      return LibraryOutputFilter.quietly { sf_seek(handle, sf_count_t(position), SEEK_SET) } >= 0
    }
    // The library does not go to a place in GSM, whose state lasts from block to block: it reads up to there.
    channel.rewind()
    var info = SF_INFO()
    guard let again = Self.open(channel, mode: Int32(SFM_READ), info: &info) else { return false }
    close()
    handle = again.handle
    var left = position
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: 4_096 * channelCount) { samples in
      while left > 0 {
        let got = read(samples.baseAddress!, count: min(left, 4_096))
        if got == 0 { return false }
        left -= got
      }
      return true
    }
  }

  // MARK: Writing

  /// Returns whether this kind of file holds such samples.
  static func canHold(
    _ container: AudioContainer, _ sampleFormat: SampleFormat, _ sampleRate: Int, _ channelCount: Int
  ) -> Bool {
    guard var info = info(container, sampleFormat, sampleRate, channelCount) else { return false }
    // The library finds out only while it opens.
    if let rates = container.sampleRates, !rates.contains(sampleRate) { return false }
    return sf_format_check(&info) != 0
  }

  /// Begins a file that `canHold` allows; nil, and the errno if there is one, if the library fails.
  static func create(
    _ output: OutputFile, container: AudioContainer, sampleFormat: SampleFormat, sampleRate: Int,
    channelCount: Int
  ) -> (SndFile?, failure: Int32) {
    guard var info = info(container, sampleFormat, sampleRate, channelCount) else { return (nil, 0) }
    let channel = LibraryChannel(descriptor: output.descriptor, output: output)
    guard let file = open(channel, mode: Int32(SFM_WRITE), info: &info) else { return (nil, channel.failure) }
    // If a kind's header can be corrected while writing, a killed program leaves a file that plays. The Vorbis encoder
    // would write its headers once more with each call.
    if [.aiff, .au, .caf, .w64].contains(container) {
      sf_command(file.handle, Int32(SFC_SET_UPDATE_HEADER_AUTO), nil, Int32(SF_TRUE))
    }
    return (file, 0)
  }

  /// Derives the serial number of an Ogg stream from bytes. Call it before the first sample is written.
  func setOggSerial(from bytes: UnsafeRawBufferPointer) { channel.oggSerial = OggSerial(from: bytes) }

  /// Writes interleaved samples of 16 bits.
  ///
  /// - Returns: Whether all were taken.
  func write(_ samples: UnsafePointer<Int16>, count: Int) -> Bool {
    sf_writef_short(handle, samples, sf_count_t(count)) == sf_count_t(count) && systemError == 0
  }

  /// Writes interleaved samples of 32 bits, of which a file of 24 bits keeps the upper ones.
  ///
  /// - Returns: Whether all were taken.
  func write(_ samples: UnsafePointer<Int32>, count: Int) -> Bool {
    sf_writef_int(handle, samples, sf_count_t(count)) == count && systemError == 0
  }

  /// Writes interleaved floats.
  ///
  /// - Returns: Whether all were taken.
  func write(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
    sf_writef_float(handle, samples, sf_count_t(count)) == count && systemError == 0
  }

  private static func open(_ channel: LibraryChannel, mode: Int32, info: inout SF_INFO) -> SndFile? {
    var functions = Self.functions
    // SAFETY: the SndFile that is made below keeps `channel` alive for as long as the handle is open.
    let user = Unmanaged.passUnretained(channel).toOpaque()
    return LibraryOutputFilter.quietly { sf_open_virtual(&functions, mode, &info, user) }
      .map { SndFile(handle: $0, channel: channel, info: info) }
  }
}
