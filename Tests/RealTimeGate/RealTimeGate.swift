import CountingAllocator
import Glibc

/// Runs a graph with every kind of node and observer while its plan keeps changing, and fails when a tick allocates.
/// Linked with the real-time sanitizer, which stops the program, it also fails when a tick locks or makes a system call.
///
///     RealTimeGate [--edits 300] [--plant malloc|lock]
///
/// With a plant one node does what it must not: a gate that does not fail then is broken. `Tests/Gates/real-time` builds
/// and runs all of it.
@main
enum RealTimeGate {
  static func main() {
    do {
      let options = try GateOptions(CommandLine.arguments.dropFirst())
      let isChecked = realtime_is_checked() == 1
      let result = try GateRun(options).run()
      let sanitizer = isChecked ? ", real-time sanitizer: 0 reports" : ""
      print(
        "\(result.ticks) ticks, \(options.edits) plan swaps, \(result.observerCalls) calls of observers: "
          + "\(result.allocations) allocations of \(result.bytes) bytes, \(result.frees) frees\(sanitizer)")
      for tick in result.firstFaults { print("  tick \(tick) allocates or frees") }
      guard result.observerCalls > 0 else { throw GateError("no observer was called: the gate looks at nothing") }
      exit(result.allocations == 0 && result.frees == 0 ? 0 : 1)
    } catch {
      print("RealTimeGate: \(error)")
      exit(2)
    }
  }
}

/// Why the gate cannot run.
struct GateError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
