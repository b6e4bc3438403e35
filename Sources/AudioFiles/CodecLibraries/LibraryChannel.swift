import Glibc

/// The bytes of a file as a codec library reads and writes them, through functions of our own: the cause of a failure
/// is then known exactly.
final class LibraryChannel {
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
  /// Serial number of the Ogg stream that the library writes; nil: the library's.
  var oggSerial: OggSerial?

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

  /// Returns the channel that a library was given as user data.
  static func at(_ user: UnsafeMutableRawPointer?) -> LibraryChannel {
    // SAFETY: always the pointer that was given to the library along with `functions`.
    Unmanaged<LibraryChannel>.fromOpaque(user!).takeUnretainedValue()
  }

  /// Count of bytes that the library sees; -1 if the file does not tell.
  var length: Int {
    if let length = view.length { return length }
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) - view.start : -1
  }

  /// Goes to an offset that counts from the first byte that the library sees, from the present one, or from the end.
  ///
  /// - Returns: The new offset from the first byte; -1 after a failure.
  func seek(_ offset: Int, _ whence: Int32) -> Int {
    let base =
      switch whence {
      case SEEK_SET: view.start
      case SEEK_END: view.start + length
      default: Int(lseek(descriptor, 0, SEEK_CUR))
      }
    let position = lseek(descriptor, off_t(base + offset), SEEK_SET)
    return position < 0 ? -1 : Int(position) - view.start
  }

  /// Reads bytes.
  ///
  /// - Returns: Count of bytes; fewer than `count` at the end or after a failure.
  func read(_ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    var count = count
    if let length = view.length { count = max(0, min(count, length - seek(0, SEEK_CUR))) }
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
    return done
  }

  /// Writes bytes.
  ///
  /// - Returns: Count of bytes; fewer after a failure.
  func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    let offset = Int(lseek(descriptor, 0, SEEK_CUR))
    let isHeader = oggSerial != nil && (27...OggPage.longestHeader).contains(count)
    let header = isHeader ? signed(UnsafeRawBufferPointer(start: bytes, count: count)) : []
    let result = header.withUnsafeBytes { output?.write(isHeader ? $0.baseAddress! : bytes, count: count, at: offset) }
    guard let (written, code) = result else { return 0 }
    lseek(descriptor, off_t(offset + written), SEEK_SET)
    if code != 0, failure == 0 { failure = code }
    return written
  }

  /// Returns a page's header with the serial number, as the library writes headers alone; other bytes stay.
  private func signed(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var header = Array(bytes)
    header.withUnsafeMutableBytes { oggSerial?.apply(to: $0) }
    return header
  }
}
