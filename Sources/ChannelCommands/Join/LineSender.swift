import Channels
import CommandLineKit
import Glibc

/// Lines of a file or of stdin as messages of a data stream; empty ones are left out.
///
/// Thread: one.
final class LineSender {
  /// Kinds of streams by name.
  static let kinds: [String: (reliable: Bool, ordered: Bool)] = [
    "reliable-ordered": (true, true), "reliable": (true, false), "ordered": (false, true), "unreliable": (false, false),
  ]
  /// Bytes of the longest line that is kept, more than a message has.
  private static let longestLine = 65_536

  private let descriptor: Int32
  private let kind: (reliable: Bool, ordered: Bool)
  private let log: Log
  private var bytes: [UInt8] = []
  private var stream: Int?
  private var lineNumber = 0
  private var isAtEnd = false
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)

  /// Opens a file; `-` is stdin.
  ///
  /// - Throws: exit code 66 for a file that cannot be opened.
  init(_ path: String, kind: String, _ log: Log) throws(CommandFailure) {
    self.log = log
    self.kind = Self.kinds[kind] ?? (true, true)
    descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(.noInput, "\(path): \(String(cString: strerror(errno))); check the path of --send-lines")
    }
  }

  deinit {
    if descriptor > 0 { close(descriptor) }
    chunk.deallocate()
  }

  /// Whether all lines are sent.
  var isDone: Bool { isAtEnd && bytes.isEmpty }

  /// Sends the lines that have come, as far as the limit of messages lets them.
  ///
  /// - Throws: exit code 74 if the lines cannot be read, 69 or 77 if the channel takes no messages from this user.
  func step(_ engine: RtcEngine) throws(CommandFailure) {
    try read()
    do throws(ChannelError) {
      while let line = nextLine() {
        if !line.isEmpty {
          if stream == nil {
            stream = try engine.createDataStream(reliable: kind.reliable, ordered: kind.ordered)
          }
          try engine.sendStreamMessage(stream ?? 0, data: line)
        }
        take(line)
      }
    } catch {
      switch error.code {
      // They are sent later.
      case .tooOften: return
      case .invalidArgument:
        log.warning("line \(lineNumber + 1) of --send-lines is left out: \(error)")
        if let line = nextLine() { take(line) }
      default: throw CommandFailure(channel: error)
      }
    }
  }

  /// Reads the bytes that are there, without a wait.
  private func read() throws(CommandFailure) {
    while !isAtEnd, bytes.count < Self.longestLine {
      var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&item, 1, 0) > 0 else { return }
      let count = Glibc.read(descriptor, chunk.baseAddress, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      guard count >= 0 else {
        throw CommandFailure(.inputOutput, "--send-lines cannot be read: \(String(cString: strerror(errno)))")
      }
      guard count > 0 else {
        isAtEnd = true
        return
      }
      bytes += chunk[..<count]
    }
  }

  /// The first line, without its end; nil if it has not come whole.
  private func nextLine() -> [UInt8]? {
    if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return Array(bytes[..<end]) }
    return !bytes.isEmpty && (isAtEnd || bytes.count >= Self.longestLine) ? bytes : nil
  }

  private func take(_ line: [UInt8]) {
    bytes.removeFirst(min(bytes.count, line.count + 1))
    lineNumber += 1
  }
}
