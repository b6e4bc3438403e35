import AudioGraph
import CommandLineKit
import JSON
import NetworkIO
import NetworkSimulation

/// `audiopipe impair`: a bad network between real programs.
struct ImpairCommand {
  static let declaration = CommandDeclaration(
    name: "impair",
    summary: "Pass UDP on as a bad network would: lose, delay, jitter, reorder and double it from a seed",
    examples: [
      "audiopipe impair --listen 127.0.0.1:6000 --to 127.0.0.1:5004 --loss 5% --delay 50ms --jitter 20ms",
      "audiopipe impair --listen :6000 --to media.example:5004 --loss 10%:burst=4 --bandwidth 64kbit --seed 7 --json",
    ],
    notes: [
      "Each program that sends to --listen is passed on to --to from a port of its own, and what comes back goes to it, both "
        + "ways impaired alike. It runs until ^C or --duration, and then says what became of the datagrams.",
      "Of more than \(UDPProxy.usualClientLimit) programs at once the one that has been quiet for longest is dropped for the next, with what was "
        + "under way for it; that is told once, and counted as 'freed'.",
      "Two that point at each other pass each datagram round for ever, as nothing in UDP counts its steps; give --to the address of the "
        + "program that is to hear it. Where more than \(UDPProxy.usualClientLimit) programs are told of and there are none, look for that.",
      "The same datagrams in the same order meet the same losses and delays for the same seed.",
    ],
    options: [
      OptionDeclaration("listen", .text, placeholder: "HOST:PORT", group: "Addresses", help: "Where programs send to"),
      OptionDeclaration("to", .text, placeholder: "HOST:PORT", group: "Addresses", help: "Where it is passed on to"),
      OptionDeclaration("one-way", group: "Addresses", help: "Let what comes back pass unharmed"),
      OptionDeclaration(
        "duration", .number(0.1...2_592_000, unit: "s"), group: "Addresses", help: "End after so long"),
    ] + NetworkOptions.declarations + CommonOptions.declarations)

  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    _ = try CommonOptions(parsed)
    let network = try NetworkOptions(parsed)
    let proxy: UDPProxy
    do {
      proxy = try UDPProxy(
        listening: address("listen", parsed), target: address("to", parsed), conditions: network.conditions,
        seed: network.seed, isOneWay: parsed.has("one-way"))
    } catch {
      throw CommandFailure(error)
    }
    console.log.info("passing on what comes to \(proxy.listeningAddress); ^C ends it")
    let clock = SystemClock()
    let end = parsed.number("duration").map { clock.nowNanoseconds + Int($0 * 1e9) } ?? .max
    var hasFreed = false
    while InterruptHandler.pending == nil, clock.nowNanoseconds < end {
      proxy.step()
      guard !hasFreed, proxy.freed.clients > 0 else { continue }
      hasFreed = true
      console.log.warning(
        "more than \(UDPProxy.usualClientLimit) programs send to \(proxy.listeningAddress); from now on the one that has been quiet for "
          + "longest is dropped for each new one")
    }
    if parsed.has("json") {
      try console.output.writeLine(json(proxy, seed: network.seed))
    } else {
      try write(proxy, to: console.output)
    }
    return .success
  }

  private static func address(_ name: String, _ parsed: ParsedArguments) throws -> SocketAddress {
    guard let text = parsed.text(name) else {
      throw CommandFailure.usage("impair needs --\(name) HOST:PORT, such as --\(name) 127.0.0.1:5004")
    }
    if name == "to", text.hasPrefix(":") {
      throw CommandFailure.usage("--to '\(text)' names no host; write where it is, such as 127.0.0.1\(text)")
    }
    let address = try SocketAddress(text)
    if name == "to", address.port == 0 {
      throw CommandFailure.usage("--to '\(text)' names no port; write the one that is listened at there, such as 5004")
    }
    return address
  }

  private static func write(_ proxy: UDPProxy, to output: StandardOutput) throws {
    for client in proxy.counters {
      try output.writeLine("\(client.client): to the target \(text(client.toTarget)); back \(text(client.toClient))")
    }
    let freed = proxy.freed
    if freed.clients > 0 {
      try output.writeLine(
        "\(freed.clients) earlier: to the target \(text(freed.toTarget)); back \(text(freed.toClient))")
    }
    if proxy.strayCount > 0 { try output.writeLine("\(proxy.strayCount) datagrams from elsewhere than the target") }
    if proxy.unservedCount > 0 {
      try output.writeLine(
        "\(proxy.unservedCount) datagrams dropped because the system gave no socket for their sender")
    }
  }

  private static func text(_ counters: ProxyDirection) -> String {
    let link = counters.link
    return "\(link.sent) datagrams, \(link.lost) lost, \(link.dropped) dropped, \(link.duplicated) doubled, "
      + "\(link.reordered) overtaken, \(link.underWay) under way, \(counters.unsent) unsent, "
      + "\(counters.unreachable) unreachable"
  }

  private static func json(_ proxy: UDPProxy, seed: UInt64) -> String {
    var json = JSONWriter()
    json.object { json in
      json.field("schema", 1)
      json.key("seed")
      json.value(seed)
      json.field("client_limit", UDPProxy.usualClientLimit)
      json.field("strays", proxy.strayCount)
      json.field("unserved", proxy.unservedCount)
      json.array("clients") { json in
        for client in proxy.counters {
          json.object { json in
            json.field("address", client.client.description)
            write(&json, "to_target", client.toTarget)
            write(&json, "to_client", client.toClient)
          }
        }
      }
      json.object("freed") { json in
        json.field("clients", proxy.freed.clients)
        write(&json, "to_target", proxy.freed.toTarget)
        write(&json, "to_client", proxy.freed.toClient)
      }
    }
    return json.text
  }

  private static func write(_ json: inout JSONWriter, _ name: String, _ counters: ProxyDirection) {
    json.object(name) { json in
      json.field("sent", counters.link.sent)
      json.field("delivered", counters.link.delivered)
      json.field("lost", counters.link.lost)
      json.field("dropped", counters.link.dropped)
      json.field("duplicated", counters.link.duplicated)
      json.field("reordered", counters.link.reordered)
      json.field("under_way", counters.link.underWay)
      json.field("unsent", counters.unsent)
      json.field("unreachable", counters.unreachable)
    }
  }
}
