import Glibc

@_silgen_name("malloc_info")
private func mallocInfo(_ options: Int32, _ stream: UnsafeMutableRawPointer) -> Int32

/// Reads the allocator's own report without allocating, once it is made.
package struct HeapMeter {
  private static let size = 65_536
  private let report = UnsafeMutablePointer<CChar>.allocate(capacity: size)
  private let stream: UnsafeMutablePointer<FILE>

  package init() {
    stream = fmemopen(report, Self.size, "w")!
    _ = bytesInUse()
  }

  /// Bytes given out: the system's share less the free ones, and those mapped directly.
  package func bytesInUse() -> Int {
    rewind(stream)
    _ = mallocInfo(0, UnsafeMutableRawPointer(stream))
    fflush(stream)
    // The totals of all heaps come last, after the list of each.
    var totals = report
    while let next = strstr(totals, "</heap>") { totals = next + 1 }
    let free = number(in: totals, after: "type=\"fast\" ") + number(in: totals, after: "type=\"rest\" ")
    let mapped = number(in: totals, after: "type=\"mmap\" ")
    return number(in: totals, after: "<system type=\"current\" ") - free + mapped
  }

  private func number(in text: UnsafeMutablePointer<CChar>, after tag: String) -> Int {
    guard let line = strstr(text, tag), let value = strstr(line, "size=\"") else { return 0 }
    return strtol(value + 6, nil, 10)
  }
}
