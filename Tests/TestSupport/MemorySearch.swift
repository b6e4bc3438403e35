import Glibc

/// A search of this process's writable memory for bytes that it knows inverted only, so that it does not find itself.
package struct MemorySearch {
  private let inverted: [UInt8]

  package init(inverted: [UInt8]) { self.inverted = inverted }

  /// Returns how often runs of eight of the bytes are there, beginning at multiples of 8 and with the last byte.
  package func occurrences() -> Int {
    let maps = open("/proc/self/maps", O_RDONLY)
    let memory = open("/proc/self/mem", O_RDONLY)
    defer {
      close(maps)
      close(memory)
    }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(maps, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
    var found = 0
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.contains(" rw") {
      let bounds = line.split(separator: " ")[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      for position in stride(from: bounds[0], to: bounds[1], by: chunk.count - 8) {
        let count = pread(memory, &chunk, min(chunk.count, bounds[1] - position), position)
        guard count >= 8 else { continue }
        found += chunk[..<count].withUnsafeBytes { runs(in: $0) }
      }
    }
    return found
  }

  private func runs(in memory: UnsafeRawBufferPointer) -> Int {
    var found = 0
    for start in Set(stride(from: 0, through: inverted.count - 8, by: 8)).union([inverted.count - 8]) {
      var position = 0
      while let hit = memchr(memory.baseAddress! + position, Int32(~inverted[start]), memory.count - position) {
        position = UnsafeRawPointer(hit) - memory.baseAddress! + 1
        guard position + 7 <= memory.count else { break }
        if (1..<8).allSatisfy({ memory[position - 1 + $0] == ~inverted[start + $0] }) { found += 1 }
      }
    }
    return found
  }
}
