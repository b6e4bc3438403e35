import CommandLineKit
import Glibc

/// Kernel, processor and memory.
struct Machine: Hashable, Sendable {
  /// Instruction sets that make audio faster, named as by the kernel.
  static let wantedFeatures = ["sse2", "sse4_2", "avx", "avx2", "fma", "avx512f", "asimd", "sve"]

  let kernel: String
  let architecture: String
  let processor: String
  let processorCount: Int
  /// Instruction sets of `wantedFeatures` that this machine has.
  let features: [String]
  let memoryBytes: Int
  let availableMemoryBytes: Int

  /// Reads `/proc`, and the kernel's own data.
  init(folder: String = "/proc") {
    var name = utsname()
    uname(&name)
    self.init(
      kernel: Self.text(&name.sysname) + " " + Self.text(&name.release),
      architecture: Self.text(&name.machine),
      processorCount: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
      processorText: (try? readText(folder + "/cpuinfo", limit: 16 << 20).get()) ?? "",
      memoryText: (try? readText(folder + "/meminfo").get()) ?? "")
  }

  /// Parses the text of `cpuinfo` and `meminfo`.
  init(kernel: String, architecture: String, processorCount: Int, processorText: String, memoryText: String) {
    self.kernel = kernel
    self.architecture = architecture
    self.processorCount = processorCount
    processor = Self.field(["model name", "Model", "Hardware"], in: processorText) ?? architecture
    let flags =
      Self.field(["flags", "Features"], in: processorText)?.split(separator: " ").map(String.init) ?? []
    features = Self.wantedFeatures.filter(flags.contains)
    memoryBytes = Self.kilobytes("MemTotal", in: memoryText)
    availableMemoryBytes = Self.kilobytes("MemAvailable", in: memoryText)
  }

  private static func field(_ names: [String], in text: String) -> String? {
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":"), names.contains(trimmed(line[..<colon])) else { continue }
      return trimmed(line[line.index(after: colon)...])
    }
    return nil
  }

  private static func kilobytes(_ name: String, in text: String) -> Int {
    field([name], in: text)?.split(separator: " ").first.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
  }

  private static func text<T>(_ tuple: inout T) -> String {
    // SAFETY: utsname's fields are arrays of bytes that end with a zero.
    withUnsafeBytes(of: &tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
