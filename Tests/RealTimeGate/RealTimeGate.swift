import CountingAllocator
import Glibc

/// Runs a graph with every kind of node and observer while its plan keeps changing, and fails when a tick allocates.
/// Then very much is played at once, a stream comes in over a socket and another goes out, and fail it too where a tick
/// and its events, or the thread of the network, allocate for them. Linked with the real-time sanitizer, which stops
/// the program, it also fails when a tick of the graph locks or makes a system call.
///
///     RealTimeGate [--edits 300] [--plant malloc|lock|receiving|sending|sounds]
///
/// With a plant something does what it must not: a gate that does not fail then is broken. `Tests/Gates/real-time`
/// builds and runs all of it.
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
      let sounds = try SoundsRun(plant: options.plant).run()
      print("\(sounds.ticks) ticks of \(sounds.audible) sounds that are heard all the time: \(sounds.heap.text)")
      let pump = try PumpRun(plant: options.plant).run()
      print(
        "2000 pumps of a stream over a socket, \(pump.packets) packets and \(pump.requests) requests in all: "
          + pump.heap.text)
      let sendPump = try SendPumpRun(plant: options.plant).run()
      print(
        "2000 pumps of a voice to a socket, \(sendPump.packets) packets, \(sendPump.retransmitted) sent again, "
          + "\(sendPump.reports) reports in all: \(sendPump.heap.text)")
      guard sendPump.packets > 2_000, sendPump.retransmitted > 50, sendPump.reports > 30 else {
        throw GateError("too little went over the socket")
      }
      guard pump.packets > 2_000, pump.requests > 20 else { throw GateError("too little came over the socket") }
      guard result.observerCalls > 0 else { throw GateError("no observer was called: the gate looks at nothing") }
      guard sounds.audible == SoundsRun.toneCount else { throw GateError("not every sound was heard") }
      let isClean = result.allocations + result.frees == 0
      exit(isClean && [sounds.heap, pump.heap, sendPump.heap].allSatisfy(\.isNone) ? 0 : 1)
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
