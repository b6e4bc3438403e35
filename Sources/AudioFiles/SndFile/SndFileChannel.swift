import CSndFile
import Glibc

/// The bytes of a file as libsndfile reads and writes them.
final class SndFileChannel {
  /// The part of a file that the library sees, and bytes that it sees in place of others.
  struct View {
    /// Offset in the file of the first byte that the library sees.
    var start = 0
    /// Count of bytes that the library sees; nil: all up to the file's end.
    var length: Int?
    /// Bytes that the library sees instead of the file's own.
    var patch: Patch?
  }

  /// Bytes that replace others, at an offset from the first byte that the library sees.
  struct Patch {
    var offset: Int
    var bytes: [UInt8]
  }

  /// The errno of the first read or write that failed; 0: none did.
  private(set) var failure: Int32 = 0

  private let descriptor: Int32
  private let output: OutputFile?
  private let view: View

  init(descriptor: Int32, output: OutputFile? = nil, view: View = View()) {
    self.descriptor = descriptor
    self.output = output
    self.view = view
  }

  /// Goes to the first byte that the library sees.
  func rewind() { lseek(descriptor, off_t(view.start), SEEK_SET) }

  /// Functions through which the library reaches a channel; the user data is an unretained pointer to it.
  static var functions: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { user in sf_count_t(SndFileChannel.at(user).length) },
      seek: { offset, whence, user in sf_count_t(SndFileChannel.at(user).seek(Int(offset), whence)) },
      read: { bytes, count, user in SndFileChannel.at(user).read(bytes!, Int(count)) },
      write: { bytes, count, user in SndFileChannel.at(user).write(bytes!, Int(count)) },
      tell: { user in sf_count_t(SndFileChannel.at(user).seek(0, SEEK_CUR)) })
  }

  private static func at(_ user: UnsafeMutableRawPointer?) -> SndFileChannel {
    // SAFETY: always the pointer that was given to the library along with `functions`.
    Unmanaged<SndFileChannel>.fromOpaque(user!).takeUnretainedValue()
  }

  /// Count of bytes that the library sees; -1 if the file does not tell.
  private var length: Int {
    if let length = view.length { return length }
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) - view.start : -1
  }

  private func seek(_ offset: Int, _ whence: Int32) -> Int {
    let base =
      switch whence {
      case SEEK_SET: view.start
      case SEEK_END: view.start + length
      default: Int(lseek(descriptor, 0, SEEK_CUR))
      }
    let position = lseek(descriptor, off_t(base + offset), SEEK_SET)
    return position < 0 ? -1 : Int(position) - view.start
  }

  private func read(_ bytes: UnsafeMutableRawPointer, _ count: Int) -> sf_count_t {
    var done = 0
    while done < count {
      let result = Glibc.read(descriptor, bytes + done, count - done)
      if result < 0, errno == EINTR { continue }
      if result < 0, failure == 0 { failure = errno }
      if result <= 0 { break }
      done += result
    }
    if let patch = view.patch {
      let first = seek(0, SEEK_CUR) - done
      for (index, byte) in patch.bytes.enumerated() {
        let place = patch.offset + index - first
        if place >= 0, place < done { bytes.storeBytes(of: byte, toByteOffset: place, as: UInt8.self) }
      }
    }
    return sf_count_t(done)
  }

  private func write(_ bytes: UnsafeRawPointer, _ count: Int) -> sf_count_t {
    let offset = Int(lseek(descriptor, 0, SEEK_CUR))
    guard let (written, code) = output?.write(bytes, count: count, at: offset) else { return 0 }
    lseek(descriptor, off_t(offset + written), SEEK_SET)
    if code != 0, failure == 0 { failure = code }
    return sf_count_t(written)
  }
}
