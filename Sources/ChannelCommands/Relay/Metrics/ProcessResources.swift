import CommandLineKit
import Glibc

/// Resources of this process at one moment, for metrics; nil for those that the system does not report.
struct ProcessResources {
  /// Processor time of all threads, in seconds.
  let processorSeconds: Double
  /// Memory in RAM, in bytes.
  let residentBytes: Int?
  /// Open file descriptors.
  let descriptorCount: Int?
  /// Most open file descriptors.
  let largestDescriptorCount: Int?

  /// Measures the resources.
  init() {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    processorSeconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    residentBytes = Self.residentPageCount().map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    descriptorCount = Self.openDescriptorCount()
    var limit = rlimit()
    let isLimited =
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur < UInt(Int.max)
    largestDescriptorCount = isLimited ? Int(limit.rlim_cur) : nil
  }

  /// Second number of `/proc/self/statm`. Source: proc_pid_statm(5).
  private static func residentPageCount() -> Int? {
    guard case .success(let text) = readText("/proc/self/statm", limit: 4_096) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]) : nil
  }

  private static func openDescriptorCount() -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Without `.`, `..` and the folder itself.
    return max(0, count - 3)
  }
}
