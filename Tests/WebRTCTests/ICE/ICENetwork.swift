import Platform
import TestSupport

@testable import WebRTC

/// End of a simulated connection.
protocol ICEEnd: AnyObject {
  var deadline: Int? { get }
  func poll(_ now: Int) -> ICEOutput
  func receive(_ datagram: [UInt8], from source: SocketAddress, _ now: Int) -> ICEOutput
}

/// A lite agent, its events, and its silence while it is out of reach.
final class LiteEnd: ICEEnd {
  var agent: ICELiteAgent
  private(set) var events: [ICELiteEvent] = []
  let deadline: Int? = nil

  init(_ credentials: ICECredentials) { agent = ICELiteAgent(credentials) }

  /// Copy for a requirement, which cannot hold an agent.
  var selected: SocketAddress? { agent.selectedAddress }

  func poll(_ now: Int) -> ICEOutput { ICEOutput() }

  func receive(_ datagram: [UInt8], from source: SocketAddress, _ now: Int) -> ICEOutput {
    var memory = [UInt8](repeating: 0, count: ICELiteAgent.replyCapacity)
    let answer = memory.withUnsafeMutableBytes {
      agent.receive(datagram.span, from: source, nowNanoseconds: now, reply: $0)
    }
    if let event = answer.event { events.append(event) }
    var output = ICEOutput()
    if answer.replyByteCount > 0 {
      output.datagrams = [ICEDatagram(bytes: Array(memory[..<answer.replyByteCount]), address: source)]
    }
    return output
  }
}

/// An agent that sends checks.
final class FullEnd: ICEEnd {
  var agent: ICEControllingAgent
  private(set) var events: [(time: Int, event: ICEEvent)] = []

  init(_ agent: consuming ICEControllingAgent) { self.agent = agent }

  var deadline: Int? { agent.nextDeadlineNanoseconds }

  /// Copy for a requirement, which cannot hold an agent.
  var selected: SocketAddress? { agent.selectedAddress }

  func poll(_ now: Int) -> ICEOutput { noted(agent.poll(nowNanoseconds: now), now) }

  func receive(_ datagram: [UInt8], from source: SocketAddress, _ now: Int) -> ICEOutput {
    noted(agent.receive(datagram.span, from: source, nowNanoseconds: now), now)
  }

  private func noted(_ output: ICEOutput, _ now: Int) -> ICEOutput {
    events += output.events.map { (now, $0) }
    return output
  }
}

/// A network in virtual time. An end sends from its first address and receives at all of them.
final class ICENetwork {
  struct Sent: Equatable {
    let time: Int
    let bytes: [UInt8]
    let from: SocketAddress
    let to: SocketAddress
  }

  private(set) var now = 0
  private(set) var sent: [Sent] = []
  var delay = 10_000_000
  /// Whether a datagram is lost.
  var loses: (Sent) -> Bool = { _ in false }
  private var ends: [(end: any ICEEnd, addresses: [SocketAddress])] = []
  private var flying: [(time: Int, datagram: Sent)] = []

  func attach(_ end: any ICEEnd, _ addresses: SocketAddress...) { ends.append((end, addresses)) }

  /// Gives an end another address.
  func move(_ end: any ICEEnd, to address: SocketAddress) {
    for index in ends.indices where ends[index].end === end { ends[index].addresses = [address] }
  }

  /// Runs to a time, or until a condition holds.
  func run(until end: Int, _ condition: () -> Bool = { false }) {
    var idleRounds = 0
    while !condition() {
      let times = ends.compactMap { $0.end.deadline } + flying.map(\.time)
      guard let next = times.min(), next <= end else {
        now = max(now, end)
        return
      }
      // An agent whose deadline stays in the past would never end.
      idleRounds = next <= now ? idleRounds + 1 : 0
      precondition(idleRounds < 1000, "an agent's deadline does not move on")
      now = max(now, next)
      let arrived = flying.filter { $0.time <= now }
      flying.removeAll { $0.time <= now }
      for (_, datagram) in arrived {
        for index in ends.indices where ends[index].addresses.contains(datagram.to) {
          let output = ends[index].end.receive(datagram.bytes, from: datagram.from, now)
          // The response leaves from the address that the request came to.
          send(output, from: datagram.to)
        }
      }
      for (end, addresses) in ends where end.deadline.map({ $0 <= now }) == true {
        send(end.poll(now), from: addresses[0])
      }
    }
  }

  private func send(_ output: ICEOutput, from source: SocketAddress) {
    for datagram in output.datagrams {
      let item = Sent(time: now, bytes: datagram.bytes, from: source, to: datagram.address)
      sent.append(item)
      if !loses(item) { flying.append((now + delay, item)) }
    }
  }
}
