import Glibc
import Testing

/// A pipe with a second of silence in it, whose writing end stays open.
final class OpenPipe: Sendable {
  let reading: Int32
  private let writing: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
    let silence = [UInt8](repeating: 0, count: 16_000)
    try #require(write(writing, silence, silence.count) == silence.count)
  }

  deinit {
    close(reading)
    close(writing)
  }
}
