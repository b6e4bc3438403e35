import NetworkIO
import NetworkSimulation
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct UDPProxyTests {
  private let local = try! SocketAddress("127.0.0.1:0")

  private func receive(_ socket: UDPSocket) -> (bytes: [UInt8], from: SocketAddress)? {
    socket.receive { (Array($0), $1) }
  }

  @Test(
    "addresses are read and written as people write them",
    arguments: [
      ("127.0.0.1:5004", "127.0.0.1:5004"), ("[::1]:80", "[::1]:80"), (":7000", "0.0.0.0:7000"),
      ("localhost:9", "127.0.0.1:9"),
    ])
  func addresses(text: String, written: String) throws {
    let address = try SocketAddress(text)
    // A machine may know itself by IPv6 first.
    #expect(address.description == written || text == "localhost:9" && address.description == "[::1]:9")
  }

  @Test(
    "an invalid address is refused with the form of a valid one",
    arguments: ["", "5004", "host", "::1:5004", "h:99999"])
  func refusals(text: String) {
    let error = #expect(throws: NetworkError.self) { _ = try SocketAddress(text) }
    #expect(error?.description.contains("HOST:PORT") == true)
  }

  @Test("a port that is taken is an error that says so")
  func taken() throws {
    let first = try UDPSocket(at: local)
    let error = #expect(throws: NetworkError.self) { _ = try UDPSocket(at: first.localAddress) }
    #expect(error?.description.contains("in use") == true)
  }

  @Test("datagrams go to the target, and answers to the client that asked", .shows("impair"))
  func bothWays() throws {
    let target = try UDPSocket(at: local)
    let proxy = try UDPProxy(listening: local, target: target.localAddress, conditions: .perfect, seed: 1)
    let clients = [try UDPSocket(at: local), try UDPSocket(at: local)]
    for (index, client) in clients.enumerated() {
      [UInt8](repeating: UInt8(index), count: 100 + index).withUnsafeBytes {
        #expect(client.send($0, to: proxy.listeningAddress))
      }
    }
    var requested = 0
    for _ in 0..<100 where requested < 2 {
      proxy.step()
      while let (bytes, from) = receive(target) {
        requested += 1
        bytes.withUnsafeBytes { _ = target.send($0, to: from) }
      }
    }
    var answers = [[UInt8]?](repeating: nil, count: 2)
    for _ in 0..<100 where answers.contains(nil) {
      proxy.step()
      for (index, client) in clients.enumerated() { if let (bytes, _) = receive(client) { answers[index] = bytes } }
    }
    #expect(answers == [[UInt8](repeating: 0, count: 100), [UInt8](repeating: 1, count: 101)])
    #expect(proxy.counters.map(\.client) == clients.map(\.localAddress))
  }

  @Test("a target's other address or port is accepted, unknown sources are not", .shows("impair"))
  func otherAddresses() throws {
    // Asked at 127.0.0.2, the system answers from 127.0.0.1.
    let target = try UDPSocket(at: try SocketAddress(":0"))
    let requested = try SocketAddress("127.0.0.2:\(target.localAddress.port)")
    let proxy = try UDPProxy(listening: local, target: requested, conditions: .perfect, seed: 1)
    let client = try UDPSocket(at: local)
    let otherPort = try UDPSocket(at: local)
    let stranger = try UDPSocket(at: try SocketAddress("127.0.0.3:0"))
    [UInt8(1)].withUnsafeBytes { _ = client.send($0, to: proxy.listeningAddress) }
    var way: SocketAddress?
    for _ in 0..<100 where way == nil {
      proxy.step()
      way = receive(target)?.from
    }
    let back = try #require(way)
    [UInt8(2)].withUnsafeBytes { _ = target.send($0, to: back) }
    [UInt8(3)].withUnsafeBytes { _ = otherPort.send($0, to: back) }
    [UInt8(4)].withUnsafeBytes { _ = stranger.send($0, to: back) }
    var answers: [[UInt8]] = []
    for _ in 0..<100 where answers.count < 2 || proxy.foreignCount == 0 {
      proxy.step()
      while let (bytes, from) = receive(client) {
        #expect(from == proxy.listeningAddress)
        answers.append(bytes)
      }
    }
    #expect(answers == [[2], [3]])
    #expect(proxy.foreignCount == 1)
  }

  @Test("the proxy loses the packets that a link of the same seed loses", .shows("impair"))
  func loss() throws {
    let target = try UDPSocket(at: local)
    let conditions = try NetworkConditions(loss: .bernoulli(probability: 0.3))
    let proxy = try UDPProxy(listening: local, target: target.localAddress, conditions: conditions, seed: 9)
    let client = try UDPSocket(at: local)
    var link = ImpairedLink<[UInt8]>(conditions, seed: 9, link: LinkIdentity(sender: 1, receiver: 0))
    var expected: [UInt8] = []
    var got: [UInt8] = []
    for number in UInt8(0)..<200 {
      link.send([number], nowNanoseconds: 0)
      while let delivery = link.receive(nowNanoseconds: 0) { expected += delivery.datagram }
      [number].withUnsafeBytes { _ = client.send($0, to: proxy.listeningAddress) }
      proxy.step()
      while let (bytes, _) = receive(target) { got += bytes }
    }
    proxy.step()
    while let (bytes, _) = receive(target) { got += bytes }
    #expect(got == expected)
    #expect(expected.count > 100 && expected.count < 180)
  }

  @Test("the quietest client above the limit is freed, and stays counted", .shows("impair"))
  func manyClients() throws {
    let target = try UDPSocket(at: local)
    let conditions = try NetworkConditions(delay: .seconds(60))
    let proxy = try UDPProxy(
      listening: local, target: target.localAddress, conditions: conditions, seed: 1, clientLimit: 2)
    let clients = try (0..<3).map { _ in try UDPSocket(at: local) }
    // The first speaks again after the second: so the second goes when the third comes.
    for index in [0, 1, 0, 2] {
      [UInt8(index)].withUnsafeBytes { _ = clients[index].send($0, to: proxy.listeningAddress) }
      let count = proxy.sentCount
      for _ in 0..<100 where proxy.sentCount == count { proxy.step() }
    }
    #expect(proxy.counters.map(\.client) == [clients[0].localAddress, clients[2].localAddress])
    #expect(proxy.counters.map(\.toTarget.link.sent) == [2, 1])
    #expect(proxy.freed.clients == 1 && proxy.freed.toTarget.link.sent == 1)
    #expect(proxy.freed.toTarget.link.underWay == 1 && proxy.counters[0].toTarget.link.underWay == 2)
    #expect(proxy.unservedCount == 0)
  }

  @Test("unreachable datagrams are counted in both directions", .shows("impair"))
  func refusals() throws {
    let target = try UDPSocket(at: local)
    var leaving: UDPSocket? = try UDPSocket(at: local)
    let proxy = try UDPProxy(listening: local, target: target.localAddress, conditions: .perfect, seed: 1)
    [UInt8(1)].withUnsafeBytes { _ = leaving!.send($0, to: proxy.listeningAddress) }
    var way: SocketAddress?
    for _ in 0..<100 where way == nil {
      proxy.step()
      way = receive(target)?.from
    }
    leaving = nil
    [UInt8(2)].withUnsafeBytes { _ = target.send($0, to: way!) }
    for _ in 0..<100 where proxy.counters[0].toClient.unreachable == 0 { proxy.step() }
    #expect(proxy.counters[0].toClient.unreachable == 1 && proxy.counters[0].toClient.link.delivered == 1)
    #expect(proxy.counters[0].toTarget.unreachable == 0)

    let nobody = try UDPProxy(
      listening: local, target: try UDPSocket(at: local).localAddress, conditions: .perfect, seed: 1)
    let client = try UDPSocket(at: local)
    for number in UInt8(0)..<5 {
      [number].withUnsafeBytes { _ = client.send($0, to: nobody.listeningAddress) }
      for _ in 0..<100 where nobody.counters.first?.toTarget.unreachable ?? 0 <= number { nobody.step() }
    }
    #expect(nobody.counters[0].toTarget.unreachable == 5 && nobody.counters[0].toTarget.unsent == 0)
    // What the system does not take.
    let all = try UDPProxy(
      listening: local, target: try SocketAddress("255.255.255.255:9"), conditions: .perfect, seed: 1)
    [UInt8(1)].withUnsafeBytes { _ = client.send($0, to: all.listeningAddress) }
    for _ in 0..<100 where all.counters.first?.toTarget.unsent ?? 0 == 0 { all.step() }
    #expect(all.counters[0].toTarget.unsent == 1 && all.counters[0].toTarget.link.delivered == 1)
  }

  @Test(
    "a proxy that would pass on to itself is refused", .shows("impair"), .serialized,
    arguments: [
      ("127.0.0.1:26030", "127.0.0.1:26030", true), (":26030", "127.0.0.1:26030", true),
      ("127.0.0.1:26030", "0.0.0.0:26030", true), ("[::]:26030", "127.0.0.1:26030", true),
      (":26030", "192.0.2.77:26030", false), ("127.0.0.1:26030", "127.0.0.2:26030", false),
      ("127.0.0.1:26030", "127.0.0.1:26031", false), (":26030", "[::1]:26030", false),
      ("127.0.0.1:26030", "[::ffff:127.0.0.1]:26030", true), ("[::ffff:127.0.0.1]:26030", "127.0.0.1:26030", true),
      (":26030", "[::ffff:127.0.0.1]:26030", true), ("[::]:26030", "[::ffff:7f00:1]:26030", true),
      ("127.0.0.1:26030", "[::ffff:127.0.0.2]:26030", false),
    ])
  func loops(listening: String, target: String, isLoop: Bool) throws {
    let ends = (try SocketAddress(listening), try SocketAddress(target))
    do {
      _ = try UDPProxy(listening: ends.0, target: ends.1, conditions: .perfect, seed: 1)
      #expect(!isLoop)
    } catch {
      #expect(isLoop && error.description.contains("passed on to itself"), "\(error)")
    }
  }
}

extension UDPProxy {
  /// How many datagrams clients have sent.
  fileprivate var sentCount: Int { counters.reduce(freed.toTarget.link.sent) { $0 + $1.toTarget.link.sent } }
}
