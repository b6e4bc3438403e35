import CountingAllocator
import Glibc

/// Runs a graph with every kind of node and observer while its plan keeps changing, and fails when a tick allocates.
/// Then a stream comes in over a socket and another goes out, and fail it too where the thread of the network allocates for them.
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
      let pump = try PumpRun().run()
      print(
        "2000 pumps of a stream over a socket, \(pump.packets) packets and \(pump.requests) requests in all: "
          + "\(pump.allocations) allocations, \(pump.frees) frees")
      let sendPump = try SendPumpRun().run()
      print(
        "2000 pumps of a voice to a socket, \(sendPump.packets) packets, \(sendPump.resent) sent again, \(sendPump.reports) reports "
          + "in all: \(sendPump.allocations) allocations, \(sendPump.frees) frees")
      guard sendPump.packets > 2_000, sendPump.resent > 50, sendPump.reports > 30 else {
        throw GateError("too little went over the socket")
      }
      guard pump.packets > 2_000, pump.requests > 20 else { throw GateError("too little came over the socket") }
      guard result.observerCalls > 0 else { throw GateError("no observer was called: the gate looks at nothing") }
      let total =
        result.allocations + result.frees + pump.allocations + pump.frees + sendPump.allocations + sendPump.frees
      exit(total == 0 ? 0 : 1)
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
