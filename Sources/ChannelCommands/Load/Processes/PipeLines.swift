import CommandLineKit
import Glibc

/// Lines that come from a pipe, without a wait.
struct PipeLines {
  let descriptor: Int32
  /// Whether the other end has been closed.
  private(set) var isAtEnd = false
  private var rest: [UInt8] = []

  /// Creates the lines of a descriptor, and lets its reads no longer wait.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// Takes the whole lines that have come.
  mutating func take() -> [String] {
    var block = [UInt8](repeating: 0, count: 65_536)
    var lines: [String] = []
    while !isAtEnd {
      let count = read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else {
        isAtEnd = true
        break
      }
      var line = block[..<count]
      while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
        lines.append(String(decoding: rest + line[..<end], as: UTF8.self))
        rest = []
        line = line[(end + 1)...]
      }
      rest += line
    }
    return lines
  }
}
