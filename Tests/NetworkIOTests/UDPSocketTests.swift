import Glibc
import NetworkIO
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct UDPSocketTests {
  private func send(_ byte: UInt8, _ socket: UDPSocket, to address: SocketAddress) -> Bool {
    [byte].withUnsafeBytes { socket.send($0, to: address) }
  }

  private func bytes(_ socket: UDPSocket) -> [UInt8] {
    var result: [UInt8] = []
    while let datagram = socket.receive({ bytes, _ in Array(bytes) }) { result += datagram }
    return result
  }

  /// An address of this machine at which nobody listens.
  private func deserted(_ host: String) throws -> SocketAddress {
    let socket = try UDPSocket(at: try SocketAddress("\(host):0"))
    return socket.localAddress
  }

  @Test(
    "refusals are reported with their destinations, and sending continues",
    .shows("rtp: destinations"),
    arguments: ["127.0.0.1", "[::1]"])
  func refusals(host: String) throws {
    let socket = try UDPSocket(at: try SocketAddress("\(host):0"), watchesRefusals: true)
    let listener = try UDPSocket(at: try SocketAddress("\(host):0"))
    let nobody = try deserted(host)
    for number in UInt8(0)..<10 {
      let (lost, heard) = (send(number, socket, to: nobody), send(number, socket, to: listener.localAddress))
      #expect(lost && heard)
    }
    #expect(bytes(listener) == Array(0..<10))
    var refused: [SocketAddress] = []
    socket.takeRefusals { address, error in
      refused.append(address)
      #expect(error == ECONNREFUSED)
    }
    #expect(refused == [SocketAddress](repeating: nobody, count: 10))
    socket.takeRefusals { _, _ in Issue.record("each is told once") }
  }

  @Test("a refused send has its errno, and a destination without a path fails")
  func noWay() throws {
    // Nobody may send to all without having asked for it.
    let all = try SocketAddress("255.255.255.255:9")
    let socket = try UDPSocket(at: try SocketAddress("0.0.0.0:0"))
    let taken = send(1, socket, to: all)
    #expect(!taken && socket.sendError == EACCES)
    let error = #expect(throws: NetworkError.self) { try UDPSocket.checkWay(to: all) }
    #expect(error?.reason == .unreachable(EACCES) && error?.description.contains("255.255.255.255:9") == true)
    #expect(throws: Never.self) { try UDPSocket.checkWay(to: try deserted("127.0.0.1")) }
  }

  @Test(
    "each member of a multicast group hears its datagrams and no others",
    .shows("rtp: descriptions"),
    arguments: [("239.255.17.4", "239.255.17.5", "127.0.0.1"), ("[ff15::1704]", "[ff15::1705]", "[::]")])
  func groups(group: String, other: String, own: String) throws {
    // A machine may have no IPv6.
    guard own == "127.0.0.1" || (try? UDPSocket.checkWay(to: try SocketAddress(group + ":9"))) != nil else { return }
    let first = try UDPSocket(at: try SocketAddress("\(group):0"))
    let address = try SocketAddress(group + ":0").withPort(first.localAddress.port)
    let second = try UDPSocket(at: address)
    let socket = try UDPSocket(at: try SocketAddress("\(own):0"))
    let sent = send(7, socket, to: address)
    try #require(sent, "errno \(socket.sendError ?? 0)")
    #expect(bytes(first) == [7] && bytes(second) == [7])
    let elsewhere = try SocketAddress(other + ":0").withPort(address.port)
    _ = send(8, socket, to: elsewhere)
    #expect(bytes(first) == [] && bytes(second) == [])
  }

  @Test(
    "groups and the address for all are known as such",
    arguments: [
      ("224.0.0.1:1", true, false), ("239.255.255.255:1", true, false), ("240.0.0.1:1", false, false),
      ("223.9.9.9:1", false, false), ("[ff02::1]:1", true, false), ("[fe80::1]:1", false, false), (":1", false, true),
      ("[::]:1", false, true), ("0.0.0.0:1", false, true), ("127.0.0.1:1", false, false),
    ])
  func kinds(text: String, isMulticast: Bool, isAny: Bool) throws {
    let address = try SocketAddress(text)
    #expect(address.isMulticast == isMulticast && address.isAny == isAny)
  }
}
