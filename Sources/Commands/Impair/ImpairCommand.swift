import AudioGraph
import ChannelCommands
import CommandLineKit
import JSON
import NetworkIO
import NetworkSimulation

/// `audiopipe impair`: a bad network between real programs.
struct ImpairCommand {
  static let declaration = CommandDeclaration(
    name: "impair",
    summary: "Forward UDP over a simulated bad network: loss, delay, jitter, reordering and duplicates from a seed",
    examples: [
      "audiopipe impair --listen 127.0.0.1:6000 --to 127.0.0.1:5004 --loss 5% --delay 50ms --jitter 20ms",
      "audiopipe impair --listen :6000 --to media.example:5004 --loss 10%:burst=4 --bandwidth 64kbit --seed 7 --json",
    ],
    notes: [
      "Each program that sends to --listen gets a separate port, from which its datagrams go to --to. Answers to that port go "
        + "back to the program. Both directions are impaired alike. The command runs until ^C or --duration, and then prints "
        + "counters of the datagrams.",
      "The next port is forwarded, too: RTCP uses it, unless both programs use --rtcp-mux. It has links of its own, under the "
        + "same conditions. With --one-port it is left out.",
      "The command serves up to \(UDPProxy.usualClientLimit) programs at once. For each further program, it drops the one "
        + "that has been quiet for longest, with its datagrams under way. One warning reports this, and 'freed' counts it.",
      "Two 'impair' commands that point at each other forward each datagram in an endless loop, because UDP has no hop count. "
        + "Give --to the address of the receiving program. Check for a loop if the warning reports more than "
        + "\(UDPProxy.usualClientLimit) programs and no such programs exist.",
      "For the same seed, the same datagrams in the same order meet the same losses and delays.",
    ],
    options: [
      OptionDeclaration(
        "listen", .text, placeholder: "HOST:PORT", group: "Addresses", help: "Address that programs send to"),
      OptionDeclaration("to", .text, placeholder: "HOST:PORT", group: "Addresses", help: "Address to forward to"),
      OptionDeclaration(
        "one-port", group: "Addresses", help: "Forward this port only, without the next one, which RTCP uses"),
      OptionDeclaration("one-way", group: "Addresses", help: "Forward answers without impairment"),
      OptionDeclaration(
        "duration", .number(0.1...2_592_000, unit: "s"), group: "Addresses", help: "End after this many seconds"),
    ] + NetworkOptions.declarations + CommonOptions.declarations)

  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    _ = try CommonOptions(parsed)
    let network = try NetworkOptions(parsed)
    let proxies: [UDPProxy]
    do {
      proxies = try makeProxies(network, parsed)
    } catch {
      throw CommandFailure(error)
    }
    let proxy = proxies[0]
    console.log.info("forwarding the datagrams to \(proxy.listeningAddress); ^C ends it")
    let clock = SystemClock()
    let end = parsed.number("duration").map { clock.nowNanoseconds + Int($0 * 1e9) } ?? .max
    var hasFreed = false
    while InterruptHandler.pending == nil, clock.nowNanoseconds < end {
      UDPProxy.step(proxies)
      guard !hasFreed, proxy.freed.clients > 0 else { continue }
      hasFreed = true
      console.log.warning(
        "more than \(UDPProxy.usualClientLimit) programs send to \(proxy.listeningAddress); from now on each new one replaces the one "
          + "that has been quiet for longest")
    }
    if parsed.has("json") {
      try console.output.writeLine(json(proxies, seed: network.seed))
    } else {
      for (proxy, use) in zip(proxies, ["", "RTCP: "]) { try write(proxy, use, to: console.output) }
    }
    return .success
  }

  /// Returns the proxy of the port and, unless the command is to forward only that, the one of the next port.
  private static func makeProxies(_ network: NetworkOptions, _ parsed: ParsedArguments) throws -> [UDPProxy] {
    let (listening, target) = (try address("listen", parsed), try address("to", parsed))
    // The port behind one that the system chooses may be taken.
    var attempts = listening.port == 0 ? 20 : 1
    while true {
      attempts -= 1
      let proxy = try UDPProxy(
        listening: listening, target: target, conditions: network.conditions, seed: network.seed,
        isOneWay: parsed.has("one-way"))
      if parsed.has("one-port") { return [proxy] }
      do {
        return [proxy, try reportProxy(beside: proxy, to: target, network, parsed)]
      } catch  where attempts > 0 {
        continue
      }
    }
  }

  /// Returns a proxy between the next ports.
  private static func reportProxy(
    beside proxy: UDPProxy, to target: SocketAddress, _ network: NetworkOptions, _ parsed: ParsedArguments
  ) throws -> UDPProxy {
    let listening = proxy.listeningAddress
    guard listening.port < .max, target.port < .max else {
      throw CommandFailure.usage("port 65535 has no next one for RTCP; choose another port, or use --one-port")
    }
    let next = listening.withPort(listening.port + 1)
    do {
      return try UDPProxy(
        listening: next, target: target.withPort(target.port + 1), conditions: network.conditions,
        seed: network.seed ^ 0x5254_4350, isOneWay: parsed.has("one-way"))
    } catch {
      throw CommandFailure(
        .unavailable,
        "\(next), the port for RTCP, cannot be used (\(error)); choose another --listen, or use --one-port")
    }
  }

  private static func address(_ name: String, _ parsed: ParsedArguments) throws -> SocketAddress {
    guard let text = parsed.text(name) else {
      throw CommandFailure.usage("impair needs --\(name) HOST:PORT, such as --\(name) 127.0.0.1:5004")
    }
    if name == "to", text.hasPrefix(":") {
      throw CommandFailure.usage("--to '\(text)' names no host; write its address, such as 127.0.0.1\(text)")
    }
    let address = try SocketAddress(text)
    if name == "to", address.port == 0 {
      throw CommandFailure.usage("--to '\(text)' names no port; write the port of the receiving program, such as 5004")
    }
    return address
  }

  private static func write(_ proxy: UDPProxy, _ use: String, to output: StandardOutput) throws {
    for client in proxy.counters {
      try output.writeLine(
        "\(use)\(client.client): to the target \(text(client.toTarget)); back \(text(client.toClient))")
    }
    let freed = proxy.freed
    if freed.clients > 0 {
      try output.writeLine(
        "\(use)\(freed.clients) earlier: to the target \(text(freed.toTarget)); back \(text(freed.toClient))")
    }
    if proxy.foreignCount > 0 { try output.writeLine("\(use)\(proxy.foreignCount) datagrams not from the target") }
    if proxy.unservedCount > 0 {
      try output.writeLine(
        "\(use)\(proxy.unservedCount) datagrams dropped because the system gave no socket for their sender")
    }
  }

  private static func text(_ counters: ProxyDirection) -> String {
    let link = counters.link
    return "\(link.sent) datagrams, \(link.lost) lost, \(link.dropped) dropped, \(link.duplicated) duplicated, "
      + "\(link.reordered) overtaken, \(link.underWay) under way, \(counters.unsent) unsent, "
      + "\(counters.unreachable) unreachable"
  }

  private static func json(_ proxies: [UDPProxy], seed: UInt64) -> String {
    var json = JSONWriter()
    json.object { json in
      json.field("schema", 1)
      json.key("seed")
      json.value(seed)
      json.field("client_limit", UDPProxy.usualClientLimit)
      write(&json, proxies[0])
      for reports in proxies.dropFirst() { json.object("next_port") { write(&$0, reports) } }
    }
    return json.text
  }

  private static func write(_ json: inout JSONWriter, _ proxy: UDPProxy) {
    json.field("foreign", proxy.foreignCount)
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
