import CMPG123
import Glibc

/// An MPEG audio file (layers I to III) that libmpg123 reads.
///
/// A frame of layer III may use up to 511 bytes of the frames before it, and half of its sound is the previous frame's.
/// libsndfile decodes four frames before a target, which is too few for frames of a low bit rate.
///
/// Source: ISO 11172-3, 2.4.2.7 (`main_data_begin`).
final class MPEGFile: EncodedFile {
  /// Frames that are decoded before a target. The smallest frames have 11 bytes of sound: 24 frames for 255 bytes.
  private static let leadFrames = 32
  /// Bytes behind the tag in which the first frame is looked for.
  static let searchedBytes = 64 * 1024

  let leadCount = 0
  private(set) var hasFailed = false
  var systemError: Int32 { channel.failure }

  private let handle: OpaquePointer
  private let channel: LibraryChannel
  private let channelCount: Int

  /// Opens the file; nil if the library finds no frame.
  ///
  /// - Parameters:
  ///   - descriptor: Descriptor of the file.
  ///   - start: Place of the first frame.
  ///   - isScanned: Whether all frames are counted, for the file does not have their number. It is read whole for that.
  static func open(descriptor: Int32, start: Int, isScanned: Bool) -> (MPEGFile, EncodedContents)? {
    let channel = LibraryChannel(descriptor: descriptor, view: LibraryChannel.View(start: start))
    channel.rewind()
    // SAFETY: the file that is made below keeps `channel` alive for as long as the handle is open.
    let user = Unmanaged.passUnretained(channel).toOpaque()
    return LibraryOutputFilter.quietly { () -> (MPEGFile, EncodedContents)? in
      guard let handle = mpg123_new(nil, nil) else { return nil }
      let flags = MPG123_FORCE_FLOAT.rawValue | MPG123_GAPLESS.rawValue | MPG123_NO_FRANKENSTEIN.rawValue
      _ = cmpg123_set(handle, MPG123_ADD_FLAGS, Int(flags))
      _ = cmpg123_set(handle, MPG123_REMOVE_FLAGS, Int(MPG123_AUTO_RESAMPLE.rawValue))
      _ = cmpg123_set(handle, MPG123_PREFRAMES, leadFrames)
      mpg123_replace_reader_handle(
        handle, { user, bytes, count in LibraryChannel.at(user).read(bytes!, count) },
        { user, offset, whence in off_t(LibraryChannel.at(user).seek(Int(offset), whence)) }, nil)
      var (rate, channels, encoding): (Int, Int32, Int32) = (0, 0, 0)
      guard mpg123_open_handle(handle, user) == MPG123_OK.rawValue,
        mpg123_getformat(handle, &rate, &channels, &encoding) == MPG123_OK.rawValue,
        encoding == MPG123_ENC_FLOAT_32.rawValue, !isScanned || mpg123_scan(handle) == MPG123_OK.rawValue
      else {
        mpg123_delete(handle)
        return nil
      }
      let length = mpg123_length(handle)
      let file = MPEGFile(handle, channel, channelCount: Int(channels))
      return (
        file,
        EncodedContents(
          sampleRate: rate, channelCount: Int(channels), samplesPerChannel: length < 0 ? nil : Int(length),
          sampleFormat: .int16)
      )
    }
  }

  private init(_ handle: OpaquePointer, _ channel: LibraryChannel, channelCount: Int) {
    self.handle = handle
    self.channel = channel
    self.channelCount = channelCount
  }

  func read(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Int {
    let frameBytes = channelCount * MemoryLayout<Float>.size
    var done = 0
    LibraryOutputFilter.quietly {
      while done < count {
        var bytes = 0
        let result = mpg123_read(handle, samples + done * channelCount, (count - done) * frameBytes, &bytes)
        done += bytes / frameBytes
        // The format is announced before the first samples; a later change of it ends the stream.
        if result == MPG123_NEW_FORMAT.rawValue, bytes > 0 || done == 0 { continue }
        if result == MPG123_OK.rawValue, bytes > 0 { continue }
        hasFailed = result != MPG123_DONE.rawValue
        break
      }
    }
    return done
  }

  func seek(to position: Int) -> Bool {
    hasFailed = false
    return LibraryOutputFilter.quietly { mpg123_seek(handle, off_t(position), SEEK_SET) } >= 0
  }

  func close() {
    LibraryOutputFilter.quietly {
      mpg123_close(handle)
      mpg123_delete(handle)
    }
  }
}
