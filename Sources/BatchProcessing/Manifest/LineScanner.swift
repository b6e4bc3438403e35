import Glibc

/// Reads the lines of a file in blocks: memory does not grow with the file.
///
/// Thread: any; several may read one descriptor, whose position does not change.
struct LineScanner {
  /// Most bytes of a line.
  static let longestLine = 1 << 20
  private static let blockBytes = 1 << 17

  /// A line without its end.
  struct Line {
    let bytes: UnsafeRawBufferPointer
    /// Position of the first byte in the file.
    let offset: Int
    /// Whether a line feed follows.
    let isTerminated: Bool
  }

  let descriptor: Int32
  /// Name of the file in messages.
  let name: String

  /// Calls `body` with each line from `start` on, until it returns false.
  ///
  /// - Throws: errors of `body`; `badData` for a line without an end, `inputOutput` if reading fails.
  func scan(from start: Int = 0, _ body: (Line) throws(BatchError) -> Bool) throws(BatchError) {
    var capacity = Self.blockBytes
    var block = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    defer { block.deallocate() }
    var base = start
    var filled = 0
    var lineCount = 0
    while true {
      if filled == capacity {
        guard capacity < Self.longestLine else {
          throw BatchError(
            .badData, "\(name), line \(lineCount + 1): the line is longer than 1 MiB; write one row a line")
        }
        let larger = UnsafeMutableRawPointer.allocate(byteCount: 2 * capacity, alignment: 16)
        larger.copyMemory(from: block, byteCount: filled)
        block.deallocate()
        block = larger
        capacity *= 2
      }
      let count = try read(at: base + filled, into: block + filled, count: capacity - filled)
      filled += count
      var begin = 0
      while begin < filled, let feed = memchr(block + begin, 0x0A, filled - begin) {
        let end = UnsafeRawPointer(feed) - UnsafeRawPointer(block)
        let bytes = UnsafeRawBufferPointer(start: block + begin, count: end - begin)
        guard try body(Line(bytes: bytes, offset: base + begin, isTerminated: true)) else { return }
        begin = end + 1
        lineCount += 1
      }
      guard count > 0 else {
        guard begin < filled else { return }
        let bytes = UnsafeRawBufferPointer(start: block + begin, count: filled - begin)
        _ = try body(Line(bytes: bytes, offset: base + begin, isTerminated: false))
        return
      }
      memmove(block, block + begin, filled - begin)
      base += begin
      filled -= begin
    }
  }

  /// Returns the bytes of the line that begins at `offset`.
  ///
  /// - Throws: as `scan`.
  func line(at offset: Int) throws(BatchError) -> [UInt8] {
    var result: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1_024)
    while result.count < Self.longestLine {
      let count = try read(at: offset + result.count, into: &block, count: block.count)
      let part = block[..<count]
      if let end = part.firstIndex(of: 0x0A) { return result + part[..<end] }
      result += part
      if count == 0 { break }
    }
    return result
  }

  /// Reads some bytes; 0 at the end.
  private func read(at offset: Int, into bytes: UnsafeMutableRawPointer, count: Int) throws(BatchError) -> Int {
    let result = FileBytes.read(descriptor, at: offset, into: bytes, count: count)
    guard result >= 0 else { throw BatchError(.inputOutput, "\(name): reading failed (\(BatchError.text(errno)))") }
    return result
  }
}
