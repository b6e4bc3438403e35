import Platform
import TestSupport
import Testing

@testable import WebRTC

@Suite("Controlling agent and a lite peer", .timeLimit(.minutes(10)))
struct ICEControllingAgentTests {
  private static let milliseconds = 1_000_000
  private static let seconds = 1_000_000_000
  private static let home = ICEMessages.address("192.0.2.1", 5000)
  private static let server = ICEMessages.address("203.0.113.5", 3478)
  private static let server6 = ICEMessages.address("2001:db8::5", 3478)
  private let local = ICECredentials()
  private let remote = ICECredentials()

  private func client(
    _ addresses: [SocketAddress], isPeerLite: Bool = true, areCandidatesComplete: Bool = true, now: Int = 0
  ) -> FullEnd {
    FullEnd(
      ICEControllingAgent(
        local: local, remote: remote, isPeerLite: isPeerLite,
        candidates: addresses.enumerated().map { ICECandidate($1, localPreference: UInt16(65_535 - $0)) },
        areCandidatesComplete: areCandidatesComplete, nowNanoseconds: now))
  }

  /// Times of the datagrams from the client, in milliseconds.
  private func times(_ network: ICENetwork) -> [Int] {
    network.sent.filter { $0.from == Self.home }.map { $0.time / Self.milliseconds }
  }

  @Test("one candidate of a lite peer is nominated by the first check")
  func one() throws {
    let (network, end, peer) = (ICENetwork(), client([Self.server]), LiteEnd(remote))
    network.attach(end, Self.home)
    network.attach(peer, Self.server)
    #expect(end.agent.firstAddress == Self.server && end.agent.selectedAddress == nil)
    network.run(until: Self.seconds)
    #expect(end.events.map(\.event) == [.selected(Self.server)] && end.events[0].time == 20 * Self.milliseconds)
    #expect(peer.events == [.selected(Self.home)])
    #expect(end.agent.selectedAddress == Self.server && end.agent.mappedAddress == Self.home)
    #expect(times(network) == [0])
    let check = try ReadMessage(network.sent[0].bytes, password: remote.password)
    #expect(check.isAuthentic && check.hasFingerprint && check.isControlling && check.isNominating)
    #expect(check.username == "\(remote.fragment):\(local.fragment)" && check.priority == 1_862_270_975)
  }

  @Test("of two candidates the first valid one is nominated, and no other")
  func two() throws {
    let (network, end, peer) = (ICENetwork(), client([Self.server6, Self.server]), LiteEnd(remote))
    network.attach(end, Self.home)
    network.attach(peer, Self.server6, Self.server)
    // The path by IPv6 loses everything.
    network.loses = { $0.to == Self.server6 }
    network.run(until: 2 * Self.seconds)
    #expect(end.events.map(\.event) == [.selected(Self.server)])
    let requests = try network.sent.filter { $0.from == Self.home }.map {
      ($0.to, try ReadMessage($0.bytes, password: remote.password).isNominating)
    }
    #expect(
      requests.map(\.0) == [Self.server6, Self.server, Self.server] && requests.map(\.1) == [false, false, true])
    // The first check, one Ta later the other, one more Ta later the nomination.
    #expect(times(network) == [0, 50, 100])
    #expect(peer.events == [.validated(Self.home), .selected(Self.home)])
  }

  @Test("a lost check is sent again after 500 ms, 1 s and so on, 7 times")
  func retransmission() {
    let (network, end) = (ICENetwork(), client([Self.server]))
    network.attach(end, Self.home)
    network.run(until: 39_499 * Self.milliseconds)
    #expect(times(network) == [0, 500, 1_500, 3_500, 7_500, 15_500, 31_500] && end.events.isEmpty)
    network.run(until: 39_500 * Self.milliseconds)
    #expect(end.events.map(\.event) == [.failed] && end.agent.nextDeadlineNanoseconds == nil)
  }

  @Test("checks reach a peer through a loss of a third of the datagrams", arguments: 1...20 as ClosedRange<UInt64>)
  func loss(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (network, end, peer) = (ICENetwork(), client([Self.server, Self.server6]), LiteEnd(remote))
    network.attach(end, Self.home)
    network.attach(peer, Self.server, Self.server6)
    network.loses = { _ in Int.random(in: 0..<3, using: &generator) == 0 }
    network.run(until: 100 * Self.seconds) { !end.events.isEmpty }
    guard case .selected(let address)? = end.events.first?.event else {
      Issue.record("seed \(seed): \(end.events)")
      return
    }
    #expect([Self.server, Self.server6].contains(address) && peer.agent.selectedAddress == Self.home)
  }

  @Test("candidates are checked one every 50 ms, the highest priority first")
  func pacing() {
    let addresses = (0..<12).map { ICEMessages.address("203.0.113.\($0)", 3478) }
    let (network, end) = (ICENetwork(), client(addresses))
    network.attach(end, Self.home)
    // The retransmission begins after Ta for each of the 12: 600 ms.
    network.run(until: 599 * Self.milliseconds)
    #expect(times(network) == (0..<12).map { 50 * $0 } && network.sent.map(\.to) == addresses)
    network.run(until: 600 * Self.milliseconds)
    #expect(network.sent.count == 13 && network.sent[12].to == addresses[0])
  }

  @Test("candidates beyond 100, doubled or unusable ones are not checked")
  func tooMany() {
    let addresses = (0..<150).map { ICEMessages.address("203.0.113.\($0)", 3478) }
    let end = client(addresses + addresses + [ICEMessages.address("224.0.0.1"), ICEMessages.address("0.0.0.0")])
    #expect(end.agent.pairs.map(\.address) == Array(addresses[..<100]))
  }

  @Test("late candidates are checked, and the agent waits for them")
  func trickle() {
    let (network, end, peer) = (ICENetwork(), client([], areCandidatesComplete: false), LiteEnd(remote))
    network.attach(end, Self.home)
    network.attach(peer, Self.server)
    #expect(end.agent.firstAddress == nil && end.agent.nextDeadlineNanoseconds == nil)
    network.run(until: 60 * Self.seconds)
    #expect(end.events.isEmpty)
    end.agent.add(ICECandidate(Self.server))
    network.run(until: 61 * Self.seconds)
    #expect(end.events.map(\.event) == [.selected(Self.server)])
  }

  @Test("without any candidate the agent fails after 39.5 s")
  func none() {
    let (network, end) = (ICENetwork(), client([], areCandidatesComplete: false))
    network.attach(end, Self.home)
    end.agent.endCandidates()
    network.run(until: 50 * Self.seconds)
    #expect(end.events.map(\.event) == [.failed] && end.events[0].time == 39_500 * Self.milliseconds)
  }

  @Test("an address that cannot be sent to fails at once")
  func unreachable() {
    let (network, end, peer) = (ICENetwork(), client([Self.server6, Self.server]), LiteEnd(remote))
    network.attach(end, Self.home)
    network.attach(peer, Self.server)
    network.run(until: 1)
    end.agent.noteUnreachable(Self.server6)
    #expect(end.agent.pairs[0].state == .failed)
    network.run(until: Self.seconds)
    #expect(end.events.map(\.event) == [.selected(Self.server)])
    #expect(network.sent.filter { $0.to == Self.server6 }.count == 1)
  }

  @Test("consent checks come every 4 to 6 s and renew the consent")
  func consent() throws {
    let (network, end, peer) = (ICENetwork(), client([Self.server]), LiteEnd(remote))
    network.attach(end, Self.home)
    network.attach(peer, Self.server)
    network.run(until: 600 * Self.seconds)
    let times = times(network)
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(intervals.dropFirst().allSatisfy { (4_000...6_000).contains($0) } && Set(intervals).count > 50)
    #expect(end.events.map(\.event) == [.selected(Self.server)] && peer.events == [.selected(Self.home)])
    // Every check is another transaction and nominates, so that a lite peer follows.
    let checks = try network.sent.filter { $0.from == Self.home }.map {
      try ReadMessage($0.bytes, password: remote.password)
    }
    #expect(checks.allSatisfy { $0.isNominating && $0.isAuthentic })
    #expect(Set(checks.map(\.transactionID)).count == checks.count)
    let isExpired = peer.agent.isExpired(nowNanoseconds: network.now, startNanoseconds: 0)
    #expect(!isExpired)
  }

  @Test("without a response for 12 s, checks come every second until one")
  func urgentConsent() throws {
    let (network, end, peer) = (ICENetwork(), client([Self.server]), LiteEnd(remote))
    network.attach(end, Self.home)
    network.attach(peer, Self.server)
    network.run(until: 20 * Self.seconds)
    let lastResponse = try #require(network.sent.last { $0.to == Self.home }).time + network.delay
    network.loses = { $0.to == Self.home }
    // The next check and its response come before the consent ends, whatever the checks' phase.
    network.run(until: lastResponse + 28 * Self.seconds)
    let urgent = network.sent.filter { $0.from == Self.home && $0.time > lastResponse + 18 * Self.seconds }.map(\.time)
    #expect((9...11).contains(urgent.count) && zip(urgent.dropFirst(), urgent).allSatisfy { $0 - $1 == Self.seconds })
    network.loses = { _ in false }
    let healed = network.now
    network.run(until: healed + 60 * Self.seconds)
    let later = network.sent.filter { $0.from == Self.home && $0.time > healed + 3 * Self.seconds }
    #expect((9...15).contains(later.count), "\(later.count)")
    #expect(end.events.map(\.event) == [.selected(Self.server)])
  }

  @Test("consent is lost 30 s after the last response, and checks end")
  func consentLost() throws {
    let (network, end, peer) = (ICENetwork(), client([Self.server]), LiteEnd(remote))
    network.attach(end, Self.home)
    network.attach(peer, Self.server)
    network.run(until: 20 * Self.seconds)
    let lastResponse = try #require(network.sent.last { $0.to == Self.home }).time + network.delay
    network.loses = { $0.to == Self.home }
    network.run(until: 100 * Self.seconds)
    #expect(end.events.map(\.event) == [.selected(Self.server), .consentLost])
    #expect(end.events[1].time == lastResponse + 30 * Self.seconds)
    #expect(try #require(network.sent.last { $0.from == Self.home }).time <= end.events[1].time)
    #expect(end.agent.nextDeadlineNanoseconds == nil)
  }

  @Test("a lite peer follows the client to another network")
  func roaming() {
    let (network, end, peer) = (ICENetwork(), client([Self.server]), LiteEnd(remote))
    network.attach(end, Self.home)
    network.attach(peer, Self.server)
    network.run(until: 3 * Self.seconds)
    let away = ICEMessages.address("198.51.100.77", 7000)
    network.move(end, to: away)
    end.agent.localAddressChanged(nowNanoseconds: network.now)
    network.run(until: 3 * Self.seconds + 20 * Self.milliseconds)
    #expect(peer.events == [.selected(Self.home), .moved(from: Self.home, to: away)])
    #expect(end.agent.mappedAddress == away)
  }

  @Test("after a restart new credentials select an address again")
  func restart() {
    let (network, end, peer) = (ICENetwork(), client([Self.server]), LiteEnd(remote))
    network.attach(end, Self.home)
    network.attach(peer, Self.server)
    network.run(until: Self.seconds)
    let (newLocal, newRemote) = (ICECredentials(), ICECredentials())
    peer.agent.restart(newRemote)
    end.agent.restart(
      local: newLocal, remote: newRemote, isPeerLite: true, candidates: [ICECandidate(Self.server)],
      nowNanoseconds: network.now)
    #expect(end.agent.selectedAddress == Self.server)
    network.run(until: 2 * Self.seconds)
    #expect(end.events.map(\.event) == [.selected(Self.server), .selected(Self.server)])
  }

  @Test("responses of others or under another password select nothing")
  func forged() throws {
    let end = client([Self.server])
    let check = try ReadMessage(end.poll(0).datagrams[0].bytes, password: remote.password)
    func response(_ id: STUNTransactionID, _ password: String) throws -> [UInt8] {
      try ICEMessages.make(.success, transaction: id, password: password) { writer throws(STUNError) in
        try writer.append(mappedAddress: Self.home)
      }
    }
    let other = STUNTransactionID(high: 0, low: 0)
    for datagram in [
      try response(check.transactionID, local.password), try response(other, remote.password), [], [1, 2, 3],
      STUNVectors.responseIPv4,
    ] {
      #expect(end.receive(datagram, from: Self.server, 1).events.isEmpty)
    }
    #expect(end.agent.selectedAddress == nil && end.agent.transactions.count == 1)
    // From elsewhere the path is not symmetric, so the pair fails.
    let good = try response(check.transactionID, remote.password)
    #expect(end.receive(good, from: Self.server6, 1).events.isEmpty)
    #expect(end.agent.pairs[0].state == .failed && end.receive(good, from: Self.server, 1).events.isEmpty)
  }

  @Test("an error response fails the pair")
  func refused() throws {
    let end = client([Self.server])
    let check = try ReadMessage(end.poll(0).datagrams[0].bytes, password: remote.password)
    let refusal = try ICEMessages.make(
      .error, transaction: check.transactionID, password: remote.password
    ) { writer throws(STUNError) in try writer.append(.badRequest) }
    _ = end.receive(refusal, from: Self.server, 1)
    #expect(end.agent.pairs[0].state == .failed && end.deadline == 39_500 * Self.milliseconds)
  }
}
