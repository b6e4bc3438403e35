import COpusFile
import Glibc

/// An Ogg Opus file that libopusfile reads: its first stream, if there are several.
///
/// libsndfile plays the pre-skip of streams with positions that begin above 0, and loses as much at their end.
///
/// Source: RFC 7845.
final class OpusFile: EncodedFile {
  static let sampleRate = 48_000

  /// The library decodes 80 ms before a target. The state of SILK is that of a whole run after a second at the most.
  let leadCount = OpusFile.sampleRate
  private(set) var hasFailed = false
  var systemError: Int32 { channel.failure }
  let tags: AudioTags

  private let handle: OpaquePointer
  private let channel: LibraryChannel
  private let channelCount: Int

  /// Opens the file from its first byte; nil if the library refuses it.
  ///
  /// - Parameters:
  ///   - descriptor: Descriptor of the file.
  ///   - length: Bytes of the first stream; nil: all.
  static func open(descriptor: Int32, length: Int?) -> (OpusFile, EncodedContents)? {
    let channel = LibraryChannel(descriptor: descriptor, view: LibraryChannel.View(length: length))
    channel.rewind()
    // SAFETY: the file that is made below keeps `channel` alive for as long as the handle is open.
    let user = Unmanaged.passUnretained(channel).toOpaque()
    var functions = OpusFileCallbacks(
      read: { user, bytes, count in Int32(LibraryChannel.at(user).read(bytes!, Int(count))) },
      seek: { user, offset, whence in LibraryChannel.at(user).seek(Int(offset), whence) < 0 ? -1 : 0 },
      tell: { user in opus_int64(LibraryChannel.at(user).seek(0, SEEK_CUR)) },
      close: nil)
    guard let handle = op_open_callbacks(user, &functions, nil, 0, nil) else { return nil }
    let total = op_pcm_total(handle, 0)
    let file = OpusFile(handle, channel)
    return (
      file,
      EncodedContents(
        sampleRate: sampleRate, channelCount: file.channelCount, samplesPerChannel: total < 0 ? nil : Int(total),
        sampleFormat: .int16)
    )
  }

  private init(_ handle: OpaquePointer, _ channel: LibraryChannel) {
    self.handle = handle
    self.channel = channel
    channelCount = Int(op_channel_count(handle, 0))
    let comments = op_tags(handle, 0)?.pointee
    tags = AudioTags(
      vorbisComments: comments?.user_comments, lengths: comments?.comment_lengths, count: comments?.comments ?? 0)
  }

  func read(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Int {
    var done = 0
    while done < count {
      var stream: Int32 = 0
      let got = op_read_float(
        handle, samples + done * channelCount, Int32(clamping: (count - done) * channelCount), &stream)
      // Pages are missing: the sound continues behind them.
      if got == OP_HOLE { continue }
      guard got > 0, stream == 0 else {
        hasFailed = got < 0
        break
      }
      done += Int(got)
    }
    return done
  }

  func seek(to position: Int) -> Bool {
    hasFailed = false
    return op_pcm_seek(handle, ogg_int64_t(position)) == 0
  }

  func close() { op_free(handle) }
}
