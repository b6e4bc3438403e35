import Glibc

/// Rows that are kept for as long as a job takes, in a file without a name once there are many, so that memory does not
/// grow with them, nor while they are read in order. Where no such file can be, or its disk is full, they are kept in
/// memory.
///
/// Thread: whoever appends, one at a time; once `seal` was called, any reads.
public final class SpooledRows<Row: BitwiseCopyable & Sendable>: RandomAccessCollection, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): nothing changes behind `seal`, before which one thread at a time uses it.

  public let startIndex = 0
  public private(set) var endIndex = 0

  /// Rows that go to the file at once.
  fileprivate static var blockCount: Int { 4_096 }

  /// Nil until there is a file, and again once it is read.
  private var descriptor: Int32?
  private var mayStore = true
  /// The file's rows, once they can be read.
  private var stored = UnsafeBufferPointer<Row>(start: nil, count: 0)
  private var storedCount = 0
  /// The rows behind those of the file.
  private var recent: [Row] = []
  private let folder: String
  /// How the file is mapped, given its descriptor and its bytes.
  private let map: (Int32, Int) -> UnsafeMutableRawPointer?

  /// No rows. The file will be where temporary files belong.
  public convenience init() {
    self.init(folder: getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") { descriptor, byteCount in
      mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
    }
  }

  /// - Parameter folder: where the file is made.
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

  /// Takes one more row, before `seal`.
  public func append(_ row: Row) {
    recent.append(row)
    endIndex += 1
    if recent.count >= Self.blockCount, mayStore { store() }
  }

  /// Ends the rows, without those at the end of which `isBehind` is true. Call it once.
  ///
  /// Throws: where the file of rows cannot be read again.
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

  /// The rows in order; memory holds few of them at once.
  public func makeIterator() -> Iterator { Iterator(rows: self) }

  /// One of the rows that are left, behind `seal`.
  public subscript(index: Int) -> Row {
    precondition(indices.contains(index), "there is no such row")
    return index < storedCount ? stored[index] : recent[index - storedCount]
  }

  /// Reads the rows in order, and lets go of the file's pages behind itself.
  public struct Iterator: IteratorProtocol {
    fileprivate let rows: SpooledRows
    private var index = 0

    fileprivate init(rows: SpooledRows) { self.rows = rows }

    /// The next row.
    public mutating func next() -> Row? {
      if index > 0, index % SpooledRows.blockCount == 0 || index >= rows.endIndex { rows.release() }
      guard index < rows.endIndex else { return nil }
      defer { index += 1 }
      return rows[index]
    }
  }

  /// Gives the file's pages back, which whoever still reads them gets again.
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
    // What is in the file stays there; the rest stays here.
    guard isWhole else {
      mayStore = false
      return
    }
    storedCount += recent.count
    recent.removeAll(keepingCapacity: true)
  }

  /// Returns: nil where there is no place for it.
  private func makeFile() -> Int32? {
    var name = Array("\(folder)/audiopipe-XXXXXX".utf8CString)
    let made = mkstemp(&name)
    guard made >= 0 else { return nil }
    _ = fcntl(made, F_SETFD, FD_CLOEXEC)
    unlink(name)
    return made
  }
}

extension SpooledRows: Equatable where Row: Equatable {
  /// Whether the rows are the same.
  public static func == (one: SpooledRows, other: SpooledRows) -> Bool { one.elementsEqual(other) }
}

extension SpooledRows: Hashable where Row: Hashable {
  public func hash(into hasher: inout Hasher) {
    for row in self { hasher.combine(row) }
  }
}
