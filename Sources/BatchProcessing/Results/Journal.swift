import Glibc
import Platform

/// Finished rows of one shard, in the order of their ends: the memory of a worker that begins again.
///
/// A line is written after the row's outputs, with one call. A torn last line is cut off. The file is locked for its
/// worker and stays after the end; the table is made from it.
///
/// Thread: any.
public final class Journal: Sendable {
  package static let fileExtension = ".journal"

  private struct State {
    /// Position in the file of each row's newest line; 0 for none.
    var offsets: [UInt64]
    /// Number of the stamp of each row's input; 0 for none.
    var stamps: [UInt64]
    var failed: Set<UInt32> = []
    var doneCount = 0
    var end = 0
  }

  /// Positions of the shard's rows in the manifest, ascending.
  private let rows: [UInt32]
  private let descriptor: Int32
  private let path: String
  private let state: Guarded<State>
  /// Whether the journal has been begun by this worker.
  public let isNew: Bool

  /// Opens and locks the journal of a shard, or begins it.
  ///
  /// - Parameters:
  ///   - folder: folder of the outputs.
  ///   - header: the work.
  ///   - rows: positions of the shard's rows in the manifest, ascending.
  ///   - startsOver: whether a journal of other work is thrown away.
  ///   - checkIfNew: called before a new journal is begun; an error leaves none.
  ///   - waitForLock: called while another worker has the lock, with its name; false gives up.
  /// - Throws: `busy` if another worker has the shard, `cannotCreate` if the file cannot be made. `otherWork` if the
  ///   journal is of other work, or the folder has journals of another number of shards.
  package init(
    folder: String, header: JournalHeader, rows: [UInt32], startsOver: Bool,
    checkIfNew: () throws(BatchError) -> Void, waitForLock: (String) -> Bool
  ) throws(BatchError) {
    if let other = try MergedTable.shards(in: folder).first(where: { $0.count != header.shard.count }) {
      let fault = "\(folder): there are results of \(other.count) shards, not \(header.shard.count);"
      throw BatchError(
        .otherWork, "\(fault) choose another folder, or the same number",
        inCommand: "\(fault) use another --out-dir, or the same number")
    }
    let path = folder + "/" + header.shard.fileStem + Self.fileExtension
    self.path = path
    self.rows = rows
    let descriptor = try Self.openLocked(path, header.shard, waitForLock)
    self.descriptor = descriptor
    do throws(BatchError) {
      let zeros = [UInt64](repeating: 0, count: rows.count)
      var state = State(offsets: zeros, stamps: zeros)
      var known: JournalHeader?
      try Self.load(descriptor, path) { (line: JournalHeader) in
        known = line
      } row: { line, offset in
        Self.note(
          line.position, isFailed: line.isFailed, stamp: line.stamp, at: offset, rows, &state)
      } end: {
        state.end = $0
      }
      if let found = known, let difference = found.difference(to: header) {
        guard startsOver else {
          let fault = "\(path): the results there are of \(difference);"
          throw BatchError(
            .otherWork, "\(fault) choose another folder, or start over",
            inCommand: "\(fault) give another --out-dir, or --overwrite to begin again")
        }
        known = nil
      }
      if known == nil {
        try checkIfNew()
        state = State(offsets: zeros, stamps: zeros)
        guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(path, errno, .inputOutput) }
        try Self.write(header.line + "\n", descriptor, path, &state.end)
      } else if ftruncate(descriptor, off_t(state.end)) != 0 {
        throw Self.failure(path, errno, .inputOutput)
      }
      try Self.write("@ \(Self.worker)\n", descriptor, path, &state.end)
      guard fdatasync(descriptor) == 0 || errno == EINVAL else { throw Self.failure(path, errno, .inputOutput) }
      isNew = known == nil
      self.state = Guarded(state)
    } catch {
      // Nothing was begun: the next worker finds no trace.
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_size == 0 { unlink(path) }
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Number of rows with a line.
  public var doneCount: Int { state.withLock { $0.doneCount } }

  /// Number of rows that failed.
  public var failedCount: Int { state.withLock { $0.failed.count } }

  /// Number of the shard's rows.
  public var rowCount: Int { rows.count }

  /// Returns whether a position in the manifest is one of the shard's.
  func has(_ position: Int) -> Bool { UInt32(exactly: position).flatMap(rows.sortedIndex) != nil }

  /// Returns whether a row has to be done, or done again.
  package func isOpen(_ row: UInt32, retriesFailed: Bool) -> Bool {
    state.withLock { state in
      guard let slot = rows.sortedIndex(of: row), state.offsets[slot] != 0 else { return true }
      return retriesFailed && state.failed.contains(row)
    }
  }

  /// Returns whether the newest line of a row is a failure.
  package func isFailed(_ row: UInt32) -> Bool { state.withLock { $0.failed.contains(row) } }

  /// Returns whether the input of a row has another stamp than in its newest line.
  package func hasChanged(_ row: UInt32, to stamp: FileStamp) -> Bool {
    state.withLock { state in
      guard let slot = rows.sortedIndex(of: row), state.stamps[slot] != 0 else { return false }
      return state.stamps[slot] != stamp.number
    }
  }

  /// Adds the line of a finished row.
  ///
  /// - Parameters:
  ///   - row: result of the row.
  ///   - stamp: stamp of its input before the work; nil without an input.
  /// - Throws: `inputOutput` if it cannot be written; the journal is then as before.
  package func append(_ row: ResultRow, stamp: FileStamp?) throws(BatchError) {
    let position = row.index - 1
    precondition(rows.sortedIndex(of: UInt32(position)) != nil, "the row is not in the shard")
    let text = JournalLine.text(position: position, isFailed: row.error != nil, stamp: stamp, json: row.json)
    let failure = state.withLock { state -> BatchError? in
      let start = state.end
      do throws(BatchError) {
        try Self.write(text, descriptor, path, &state.end)
      } catch {
        return error
      }
      Self.note(position, isFailed: row.error != nil, stamp: stamp?.number ?? 0, at: start, rows, &state)
      return nil
    }
    if let failure { throw failure }
  }

  /// Rows as JSON, in the order of the manifest. Memory: one row.
  public var lines: some Sequence<String> {
    let offsets = state.withLock { $0.offsets }
    let scanner = LineScanner(descriptor: descriptor, name: path)
    // The descriptor lives as long as the journal.
    return offsets.lazy.filter { $0 != 0 }.map { [self] offset in
      withExtendedLifetime(self) { Self.json(scanner, Int(offset)) }
    }
  }

  /// Returns the JSON of the line at a position of a file.
  static func json(_ scanner: LineScanner, _ offset: Int) -> String {
    guard let bytes = try? scanner.line(at: offset) else { return "" }
    let count = bytes.withUnsafeBytes { JournalLine($0)?.prefixCount ?? 0 }
    return String(decoding: bytes[count...], as: UTF8.self)
  }

  /// Reads a journal up to its last whole line.
  ///
  /// - Throws: `inputOutput` if reading fails.
  static func load(
    _ descriptor: Int32, _ path: String, header: (JournalHeader) -> Void, row: (JournalLine, Int) -> Void,
    end: (Int) -> Void
  ) throws(BatchError) {
    var isFirst = true
    try LineScanner(descriptor: descriptor, name: path).scan { line throws(BatchError) in
      guard line.isTerminated else { return false }
      if isFirst {
        guard let known = JournalHeader(line: String(decoding: line.bytes, as: UTF8.self)) else { return false }
        isFirst = false
        header(known)
      } else if line.bytes.first != UInt8(ascii: "@") {
        guard let known = JournalLine(line.bytes) else { return false }
        row(known, line.offset)
      }
      end(line.offset + line.bytes.count + 1)
      return true
    }
  }

  private static func note(
    _ position: Int, isFailed: Bool, stamp: UInt64, at offset: Int, _ rows: [UInt32], _ state: inout State
  ) {
    guard let row = UInt32(exactly: position), let slot = rows.sortedIndex(of: row) else { return }
    if state.offsets[slot] == 0 { state.doneCount += 1 }
    state.offsets[slot] = UInt64(offset)
    state.stamps[slot] = stamp
    if isFailed { state.failed.insert(row) } else { state.failed.remove(row) }
  }

  private static func write(_ text: String, _ descriptor: Int32, _ path: String, _ end: inout Int)
    throws(BatchError)
  {
    var text = text
    let (count, failure) = text.withUTF8 { FileBytes.write(UnsafeRawBufferPointer($0), to: descriptor, at: end) }
    guard failure == 0 else {
      ftruncate(descriptor, off_t(end))
      throw Self.failure(path, failure, .inputOutput)
    }
    end += count
  }

  private static func openLocked(
    _ path: String, _ shard: Shard, _ wait: (String) -> Bool
  ) throws(BatchError) -> Int32 {
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw failure(path, errno, .cannotCreate) }
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        let holder = holder(descriptor, path)
        close(descriptor)
        guard wait(holder) else {
          throw BatchError(
            .busy,
            "\(path): \(holder) works on shard \(shard.text); wait for its end, or stop it")
        }
        continue
      }
      // A file system without locks has none to break; workers of one shard then must not run at once.
      var opened = stat()
      var named = stat()
      // Another worker may have removed an empty journal before this one had the lock.
      if fstat(descriptor, &opened) == 0, stat(path, &named) == 0, opened.st_ino == named.st_ino { return descriptor }
      close(descriptor)
    }
  }

  /// Returns the newest worker of a journal.
  private static func holder(_ descriptor: Int32, _ path: String) -> String {
    var holder = "another worker"
    try? LineScanner(descriptor: descriptor, name: path).scan { line throws(BatchError) in
      if line.isTerminated, line.bytes.first == UInt8(ascii: "@") {
        holder = String(decoding: line.bytes.dropFirst(2), as: UTF8.self)
      }
      return true
    }
    return holder
  }

  /// Name of this process on its machine.
  private static var worker: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "process \(getpid()) on \(host)"
  }

  private static func failure(_ path: String, _ code: Int32, _ kind: BatchError.Kind) -> BatchError {
    BatchError(
      BatchError.isFull(code) ? .inputOutput : kind,
      "\(path): the results cannot be written (\(BatchError.text(code))); free some space and begin again")
  }
}
