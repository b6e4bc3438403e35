import CPlatform
import Glibc

/// Processors that this process may use.
package enum ProcessorCount {
  /// Processors of the affinity, or fewer if the quota of a container is smaller; at least 1.
  package static var available: Int {
    let affine = max(1, Int(cplatform_processor_count()))
    return quota.map { min(affine, $0) } ?? affine
  }

  /// Processors of the quota of this control group, rounded up; nil without one.
  ///
  /// Source: Linux, Documentation/admin-guide/cgroup-v2.rst, `cpu.max`: "QUOTA PERIOD" or "max PERIOD".
  private static var quota: Int? {
    guard let file = fopen("/sys/fs/cgroup/cpu.max", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    return quota(of: String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// Processors of a line of `cpu.max`; nil for no quota.
  static func quota(of line: String) -> Int? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), quota > 0, period > 0 else {
      return nil
    }
    return (quota - 1) / period + 1
  }
}
