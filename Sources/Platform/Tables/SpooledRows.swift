import Glibc

/// Rows that are kept for the length of a job, in a file without a name once there are many.
///
/// Memory does not grow with the rows, nor while they are read in order. If no such file can be made, or its disk is
/// full, the rows stay in memory.
///
/// Thread: one at a time until `seal`; after it, any thread may read.
public final class SpooledRows<Row: BitwiseCopyable & Sendable>: RandomAccessCollection, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): nothing changes after `seal`, and before it one thread at a time uses the rows.

  public let startIndex = 0
  public private(set) var endIndex = 0

  /// Rows that go to the file at once.
  fileprivate static var blockCount: Int { 4_096 }

  /// File descriptor; nil before the file exists and again after `seal`.
  private var descriptor: Int32?
  private var mayStore = true
  /// The file's rows; empty before `seal`.
  private var stored = UnsafeBufferPointer<Row>(start: nil, count: 0)
  private var storedCount = 0
  /// The rows behind those of the file.
  private var recent: [Row] = []
  private let folder: String
  /// Maps the file, given its descriptor and its size in bytes.
  private let map: (Int32, Int) -> UnsafeMutableRawPointer?

  /// Creates an empty table. Its file goes into `TMPDIR`, or else into /tmp.
  public convenience init() {
    self.init(folder: UnnamedFile.folder) { descriptor, byteCount in
      mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
    }
  }

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - folder: Folder of the file.
  ///   - map: Maps the file, given its descriptor and its size in bytes.
  init(folder: String, map: @escaping (Int32, Int) -> UnsafeMutableRawPointer?) {
    self.folder = folder
    self.map = map
  }

  deinit {
    if let descriptor { close(descriptor) }
    if let base = stored.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: base), storedCount * MemoryLayout<Row>.stride)
    }
  }

  /// Appends a row. Not allowed after `seal`.
  public func append(_ row: Row) {
    recent.append(row)
    endIndex += 1
    if recent.count >= Self.blockCount, mayStore { store() }
  }

  /// Ends the rows and drops those at the end for which `isBehind` is true. Call it once.
  ///
  /// - Throws: `StoredRowsError` if the file of rows cannot be read again.
  public func seal(droppingLast isBehind: (Row) -> Bool = { _ in false }) throws(StoredRowsError) {
    if let descriptor, storedCount > 0 {
      let memory = map(descriptor, storedCount * MemoryLayout<Row>.stride)
      guard memory != MAP_FAILED else {
        throw StoredRowsError(folder: folder, number: errno)
      }
      stored = UnsafeBufferPointer(start: memory?.assumingMemoryBound(to: Row.self), count: storedCount)
      close(descriptor)
    }
    descriptor = nil
    mayStore = false
    while let last, isBehind(last) { endIndex -= 1 }
  }

  /// Returns an iterator over the rows in order; memory holds few of them at once.
  public func makeIterator() -> Iterator { Iterator(rows: self) }

  /// A row, by its index; after `seal` only.
  public subscript(index: Int) -> Row {
    precondition(indices.contains(index), "there is no such row")
    return index < storedCount ? stored[index] : recent[index - storedCount]
  }

  /// Reads the rows in order, and releases the file's pages behind itself.
  public struct Iterator: IteratorProtocol {
    fileprivate let rows: SpooledRows
    private var index = 0

    fileprivate init(rows: SpooledRows) { self.rows = rows }

    /// Returns the next row; nil after the last.
    public mutating func next() -> Row? {
      if index > 0, index % SpooledRows.blockCount == 0 || index >= rows.endIndex { rows.release() }
      guard index < rows.endIndex else { return nil }
      defer { index += 1 }
      return rows[index]
    }
  }

  /// Gives the file's pages back to the system; a reader that still needs them gets them again.
  private func release() {
    guard let base = stored.baseAddress else { return }
    madvise(UnsafeMutableRawPointer(mutating: base), stored.count * MemoryLayout<Row>.stride, MADV_DONTNEED)
  }

  private func store() {
    if descriptor == nil { descriptor = makeFile() }
    guard let descriptor else {
      mayStore = false
      return
    }
    let offset = storedCount * MemoryLayout<Row>.stride
    let isWhole = recent.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        done += count
      }
      return true
    }
    // Rows in the file stay there; the rest stays in memory.
    guard isWhole else {
      mayStore = false
      return
    }
    storedCount += recent.count
    recent.removeAll(keepingCapacity: true)
  }

  /// Makes the file.
  ///
  /// - Returns: Its descriptor; nil if the file cannot be made.
  private func makeFile() -> Int32? {
    let made = UnnamedFile.make(in: folder)
    return made < 0 ? nil : made
  }
}

extension SpooledRows: Equatable where Row: Equatable {
  /// Returns whether the rows are the same.
  public static func == (one: SpooledRows, other: SpooledRows) -> Bool { one.elementsEqual(other) }
}

extension SpooledRows: Hashable where Row: Hashable {
  public func hash(into hasher: inout Hasher) {
    for row in self { hasher.combine(row) }
  }
}
