import CVorbisFile
import Glibc

/// An Ogg Vorbis file that libvorbisfile reads: its first stream, if there are several.
///
/// After a seek near a change of the block length, libsndfile loses 448 or 832 samples.
final class VorbisFile: EncodedFile {
  let leadCount = 0
  private(set) var hasFailed = false
  var systemError: Int32 { channel.failure }
  let tags: AudioTags

  private let handle: UnsafeMutablePointer<OggVorbis_File>
  private let channel: LibraryChannel
  private let channelCount: Int

  /// Opens the file from its first byte; nil if the library refuses it.
  ///
  /// - Parameters:
  ///   - descriptor: Descriptor of the file.
  ///   - length: Bytes of the first stream; nil: all.
  static func open(descriptor: Int32, length: Int?) -> (VorbisFile, EncodedContents)? {
    let channel = LibraryChannel(descriptor: descriptor, view: LibraryChannel.View(length: length))
    channel.rewind()
    // SAFETY: the file that is made below keeps `channel` alive for as long as the handle is open.
    let user = Unmanaged.passUnretained(channel).toOpaque()
    let functions = ov_callbacks(
      read_func: { bytes, size, count, user in
        LibraryChannel.at(user).read(bytes!, size * count) / max(1, size)
      },
      seek_func: { user, offset, whence in LibraryChannel.at(user).seek(Int(offset), whence) < 0 ? -1 : 0 },
      close_func: nil,
      tell_func: { user in LibraryChannel.at(user).seek(0, SEEK_CUR) })
    let handle = UnsafeMutablePointer<OggVorbis_File>.allocate(capacity: 1)
    handle.initialize(to: OggVorbis_File())
    // The library clears what it has made if it fails.
    guard ov_open_callbacks(user, handle, nil, 0, functions) == 0 else {
      handle.deallocate()
      return nil
    }
    guard let info = ov_info(handle, 0)?.pointee else {
      ov_clear(handle)
      handle.deallocate()
      return nil
    }
    let total = ov_pcm_total(handle, 0)
    return (
      VorbisFile(handle, channel, channelCount: Int(info.channels)),
      EncodedContents(
        sampleRate: info.rate, channelCount: Int(info.channels), samplesPerChannel: total < 0 ? nil : Int(total),
        sampleFormat: .int16)
    )
  }

  private init(_ handle: UnsafeMutablePointer<OggVorbis_File>, _ channel: LibraryChannel, channelCount: Int) {
    self.handle = handle
    self.channel = channel
    self.channelCount = channelCount
    let comments = ov_comment(handle, 0)?.pointee
    tags = AudioTags(
      vorbisComments: comments?.user_comments, lengths: comments?.comment_lengths, count: comments?.comments ?? 0)
  }

  func read(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Int {
    var done = 0
    while done < count {
      var planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
      var stream: Int32 = 0
      let got = ov_read_float(handle, &planes, Int32(clamping: count - done), &stream)
      // Pages are missing: the sound continues behind them.
      if got == OV_HOLE { continue }
      guard got > 0, stream == 0, let planes else {
        hasFailed = got < 0
        break
      }
      for channel in 0..<channelCount {
        let (plane, first) = (planes[channel]!, samples + done * channelCount + channel)
        for index in 0..<got { first[index * channelCount] = plane[index] }
      }
      done += got
    }
    return done
  }

  func seek(to position: Int) -> Bool {
    hasFailed = false
    return ov_pcm_seek(handle, ogg_int64_t(position)) == 0
  }

  func close() {
    ov_clear(handle)
    handle.deallocate()
  }
}
