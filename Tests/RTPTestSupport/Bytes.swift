import Glibc
import TestSupport

/// Bytes from pairs of hexadecimal digits; spaces do not count.
package func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue!) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// Lends `bytes` at the very end of a page behind which there is nothing: reading one byte further ends the test run.
package func withGuarded<Result>(_ bytes: [UInt8], _ body: (UnsafeMutableRawBufferPointer) throws -> Result) rethrows
  -> Result
{
  let pageSize = sysconf(Int32(_SC_PAGESIZE))
  let pageCount = bytes.count / pageSize + 1
  let region = mmap(
    nil, (pageCount + 1) * pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
  precondition(region != MAP_FAILED && mprotect(region + pageCount * pageSize, pageSize, PROT_NONE) == 0)
  defer { munmap(region, (pageCount + 1) * pageSize) }
  let start = region + pageCount * pageSize - bytes.count
  start.copyMemory(from: bytes, byteCount: bytes.count)
  return try body(UnsafeMutableRawBufferPointer(start: start, count: bytes.count))
}

/// Each of `packets` as it is, cut anywhere, with some of its bytes changed, and bytes of no meaning: `count` in all.
package func forEachMutation(of packets: [[UInt8]], count: Int, seed: UInt64, _ body: ([UInt8]) -> Void) {
  var random = SeededGenerator(seed: seed)
  for packet in packets {
    for length in 0...packet.count { body(Array(packet[..<length])) }
  }
  for _ in 0..<count {
    var packet = packets.randomElement(using: &random)!
    switch Int.random(in: 0..<8, using: &random) {
    case 0: packet = (0..<Int.random(in: 0...80, using: &random)).map { _ in .random(in: 0...255, using: &random) }
    case 1: packet += (0..<Int.random(in: 1...40, using: &random)).map { _ in .random(in: 0...255, using: &random) }
    case 2: packet.removeLast(Int.random(in: 0...packet.count, using: &random))
    default: break
    }
    if !packet.isEmpty {
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        packet[.random(in: 0..<packet.count, using: &random)] = .random(in: 0...255, using: &random)
      }
    }
    body(packet)
  }
}
