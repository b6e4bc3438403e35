import NetworkIO
import Platform

/// A program that a proxy serves: its links, and its socket towards the target.
final class ProxyClient {
  let address: SocketAddress
  let socket: UDPSocket
  var toTarget: ImpairedLink<[UInt8]>
  var toClient: ImpairedLink<[UInt8]>
  var answers: ReplyFilter
  /// Time at which the client or the target last sent, in nanoseconds.
  var lastUseNanoseconds: Int
  private var sending = (toTarget: ProxyDirection(), toClient: ProxyDirection())

  /// - Parameters:
  ///   - address: Address of the client.
  ///   - index: Number of the client, counted from 1, so that each has its own randomness.
  ///   - target: Address of the target.
  ///   - conditions: Conditions towards the target.
  ///   - backConditions: Conditions towards the client.
  ///   - seed: Seed of the links.
  ///   - now: Current time, in nanoseconds.
  init(
    _ address: SocketAddress, index: UInt32, target: SocketAddress, conditions: NetworkConditions,
    backConditions: NetworkConditions, seed: UInt64, nowNanoseconds: Int
  ) throws(NetworkError) {
    self.address = address
    socket = try UDPSocket(at: try SocketAddress(target.isIPv6 ? "[::]:0" : ":0"), watchesRefusals: true)
    answers = ReplyFilter(target: target)
    toTarget = ImpairedLink(
      conditions, seed: seed, link: LinkIdentity(sender: index, receiver: 0), startNanoseconds: nowNanoseconds)
    toClient = ImpairedLink(
      backConditions, seed: seed, link: LinkIdentity(sender: 0, receiver: index), startNanoseconds: nowNanoseconds)
    lastUseNanoseconds = nowNanoseconds
  }

  var counters: UDPProxy.ClientCounters {
    var (there, back) = sending
    there.link = toTarget.counters
    back.link = toClient.counters
    return UDPProxy.ClientCounters(client: address, toTarget: there, toClient: back)
  }

  /// Sends the datagrams that have come out of the links.
  func giveOut(to target: SocketAddress, from listener: UDPSocket, nowNanoseconds now: Int) {
    while let delivery = toTarget.receive(nowNanoseconds: now) {
      if !delivery.datagram.withUnsafeBytes({ socket.send($0, to: target) }) { sending.toTarget.unsent += 1 }
    }
    while let delivery = toClient.receive(nowNanoseconds: now) {
      if !delivery.datagram.withUnsafeBytes({ listener.send($0, to: address) }) { sending.toClient.unsent += 1 }
    }
  }

  /// Counts returned datagrams that were sent to the target.
  func takeRefusals() { socket.takeRefusals { _, _ in sending.toTarget.unreachable += 1 } }

  /// Counts a returned datagram that was sent to the client.
  func isRefused() { sending.toClient.unreachable += 1 }
}
