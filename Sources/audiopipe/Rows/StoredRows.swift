import Glibc

/// Rows that are kept for as long as a job takes, in a file without a name once there are many, so that memory does not
/// grow with them. Where no such file can be, or its disk is full, they are kept in memory.
///
/// Thread: whoever appends, one at a time; once `seal` was called, any reads.
final class StoredRows<Row: BitwiseCopyable & Sendable>: RandomAccessCollection, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): nothing changes behind `seal`, before which one thread at a time uses it.

  let startIndex = 0
  private(set) var endIndex = 0

  /// Rows that go to the file at once.
  private static var blockCount: Int { 4_096 }

  /// Nil until there is a file, and again once it is read.
  private var descriptor: Int32?
  private var mayStore = true
  /// The file's rows, once they can be read.
  private var stored = UnsafeBufferPointer<Row>(start: nil, count: 0)
  private var storedCount = 0
  /// The rows behind those of the file.
  private var recent: [Row] = []
  private let folder: String

  /// - Parameter folder: where the file is made; nil: where temporary files belong.
  init(folder: String? = nil) {
    self.folder = folder ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  deinit {
    if let descriptor { close(descriptor) }
    if let base = stored.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: base), storedCount * MemoryLayout<Row>.stride)
    }
  }

  func append(_ row: Row) {
    recent.append(row)
    endIndex += 1
    if recent.count >= Self.blockCount, mayStore { store() }
  }

  /// Ends the rows, without those at the end of which `isBehind` is true.
  func seal(droppingLast isBehind: (Row) -> Bool) {
    if let descriptor, storedCount > 0 {
      let byteCount = storedCount * MemoryLayout<Row>.stride
      let memory = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
      precondition(memory != MAP_FAILED, "a file that was written cannot be mapped: \(systemErrorText(errno))")
      stored = UnsafeBufferPointer(start: memory?.assumingMemoryBound(to: Row.self), count: storedCount)
      close(descriptor)
    }
    descriptor = nil
    mayStore = false
    while let last, isBehind(last) { endIndex -= 1 }
  }

  /// Shape: of the rows that are left.
  subscript(index: Int) -> Row {
    precondition(indices.contains(index), "there is no such row")
    return index < storedCount ? stored[index] : recent[index - storedCount]
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
