import Platform
import TestSupport
import Testing

@testable import WebRTC

/// Connections with aioice on this machine.
@Suite(
  "Agents and aioice", .enabled(if: AioicePeer.python != nil, "aioice (PyPI) cannot be installed"), .serialized,
  .timeLimit(.minutes(10)))
struct AioiceTests {
  @Test("aioice connects to a lite agent", arguments: [1, 2], [true, false])
  func lite(socketCount: Int, isAnnounced: Bool) throws {
    let credentials = ICECredentials()
    let (sockets, end) = (try ICESockets(socketCount), LiteEnd(credentials))
    let peer = try AioicePeer("controlling", credentials, isLite: isAnnounced, ports: sockets.ports)
    #expect(sockets.run(end) { peer.result() != nil && end.agent.selectedAddress != nil }, "\(peer.lines())")
    let result = try #require(peer.result())
    #expect(result.first == "connected" && result.last == "controlling", "\(result)")
    let candidates = try #require(peer.description()).candidates
    let address = try #require(end.selected)
    #expect(candidates.contains { $0.usableAddress == address })
    try talk(sockets, end, to: address)
  }

  @Test("our agent connects to aioice")
  func controlling() throws {
    let (sockets, local) = (try ICESockets(), ICECredentials())
    let peer = try AioicePeer("controlled", local, ports: sockets.ports)
    let end = try client(sockets, local, peer)
    #expect(sockets.run(end) { peer.result() != nil && end.agent.selectedAddress != nil }, "\(peer.lines())")
    #expect(peer.result() == ["connected", "\(sockets.ports[0])", "controlled"])
    #expect(end.agent.mappedAddress?.port == sockets.ports[0])
    try talk(sockets, end, to: try #require(end.selected))
  }

  @Test("our agent and an aioice that wants to control agree", arguments: 1...6)
  func conflict(round: Int) throws {
    let (sockets, local) = (try ICESockets(), ICECredentials())
    let peer = try AioicePeer("controlling", local, ports: sockets.ports)
    let end = try client(sockets, local, peer)
    #expect(sockets.run(end) { peer.result() != nil && end.agent.selectedAddress != nil }, "\(peer.lines())")
    let isControlling = end.agent.isControlling
    #expect(peer.result() == ["connected", "\(sockets.ports[0])", isControlling ? "controlled" : "controlling"])
    try talk(sockets, end, to: try #require(end.selected))
  }

  private func client(_ sockets: ICESockets, _ local: ICECredentials, _ peer: AioicePeer) throws -> FullEnd {
    #expect(sockets.run(nil) { peer.description() != nil })
    let (remote, candidates) = try #require(peer.description())
    #expect(!candidates.isEmpty)
    return FullEnd(
      ICEControllingAgent(
        local: local, remote: remote, isPeerLite: false, candidates: candidates, nowNanoseconds: sockets.now))
  }

  /// The peer returns what it receives at its selected address.
  private func talk(_ sockets: ICESockets, _ end: any ICEEnd, to address: SocketAddress) throws {
    sockets.send(Array("hello".utf8), to: address)
    #expect(sockets.run(end) { sockets.data.contains(Array("hello".utf8)) })
    sockets.send(Array("end".utf8), to: address)
  }
}
