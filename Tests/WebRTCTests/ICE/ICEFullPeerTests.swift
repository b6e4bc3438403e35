import Platform
import TestSupport
import Testing

@testable import WebRTC

@Suite("Controlling agent and a full peer", .timeLimit(.minutes(10)))
struct ICEFullPeerTests {
  private static let seconds = 1_000_000_000
  private static let here = ICEMessages.address("192.0.2.1", 5000)
  private static let there = ICEMessages.address("203.0.113.5", 6000)
  private static let hidden = ICEMessages.address("203.0.113.9", 7000)
  private let local = ICECredentials()
  private let remote = ICECredentials()

  private func end(
    _ local: ICECredentials, _ remote: ICECredentials, _ candidates: [SocketAddress], seed: UInt64,
    tieBreaker: UInt64? = nil
  ) -> FullEnd {
    FullEnd(
      ICEControllingAgent(
        local: local, remote: remote, isPeerLite: false, candidates: candidates.map { ICECandidate($0) },
        nowNanoseconds: 0, random: SharedGenerator(seed: seed, first: tieBreaker).next))
  }

  @Test("two agents that both want to control agree", arguments: 1...40 as ClosedRange<UInt64>)
  func roles(seed: UInt64) {
    let network = ICENetwork()
    let first = end(local, remote, [Self.there], seed: seed)
    let second = end(remote, local, [Self.here], seed: seed + 1000)
    network.attach(first, Self.here)
    network.attach(second, Self.there)
    if seed > 20 {
      var generator = SeededGenerator(seed: seed)
      network.loses = { _ in Int.random(in: 0..<4, using: &generator) == 0 }
    }
    network.run(until: 30 * Self.seconds) { first.agent.selectedAddress != nil && second.agent.selectedAddress != nil }
    #expect(first.agent.selectedAddress == Self.there && second.agent.selectedAddress == Self.here, "seed \(seed)")
    let controlling = [first.agent.isControlling, second.agent.isControlling]
    #expect(controlling[0] != controlling[1], "seed \(seed)")
    network.loses = { _ in false }
    network.run(until: 200 * Self.seconds)
    #expect(first.events.count == 1 && second.events.count == 1, "seed \(seed): \(first.events) \(second.events)")
  }

  @Test("equal tie-breakers do not keep two agents from agreeing")
  func equal() {
    let network = ICENetwork()
    let first = end(local, remote, [Self.there], seed: 5, tieBreaker: 77)
    let second = end(remote, local, [Self.here], seed: 6, tieBreaker: 77)
    network.attach(first, Self.here)
    network.attach(second, Self.there)
    network.run(until: 30 * Self.seconds) { first.agent.selectedAddress != nil && second.agent.selectedAddress != nil }
    let controlling = [first.agent.isControlling, second.agent.isControlling]
    #expect(first.agent.selectedAddress == Self.there && controlling[0] != controlling[1])
  }

  @Test("a peer's check from an unknown address makes it a candidate")
  func peerReflexive() {
    let network = ICENetwork()
    // The first agent knows an address only that is not there.
    let first = end(local, remote, [Self.hidden], seed: 1)
    let second = end(remote, local, [Self.here], seed: 2)
    network.attach(first, Self.here)
    network.attach(second, Self.there)
    network.run(until: 20 * Self.seconds)
    #expect(first.agent.selectedAddress == Self.there && second.agent.selectedAddress == Self.here)
  }

  @Test("a check of a stranger is neither answered nor a candidate")
  func stranger() throws {
    let agent = end(local, remote, [Self.there], seed: 1)
    for check in [
      try ICEMessages.check(to: remote), try ICEMessages.check(to: local, password: remote.password),
      try ICEMessages.make(password: nil) { _ throws(STUNError) in },
    ] {
      #expect(agent.receive(check, from: Self.hidden, 0).datagrams.isEmpty)
    }
    #expect(agent.agent.pairs.count == 1)
    let check = try ICEMessages.make(password: local.password) { writer throws(STUNError) in
      try writer.append(username: Array("\(local.fragment):\(remote.fragment)".utf8).span)
      try writer.append(priority: 5)
      try writer.append(iceControlled: 1)
    }
    let answer = agent.receive(check, from: Self.hidden, 0)
    #expect(answer.datagrams.map(\.address) == [Self.hidden] && agent.agent.pairs.count == 2)
    // It is checked before the known one, whatever the priorities.
    #expect(agent.poll(0).datagrams.map(\.address) == [Self.hidden])
  }

  @Test("a full peer gets USE-CANDIDATE after a valid check only")
  func regular() throws {
    let agent = end(local, remote, [Self.there], seed: 1)
    let check = try ReadMessage(agent.poll(0).datagrams[0].bytes, password: remote.password)
    #expect(!check.isNominating)
    let success = try ICEMessages.make(
      .success, transaction: check.transactionID, password: remote.password
    ) { writer throws(STUNError) in try writer.append(mappedAddress: Self.here) }
    #expect(agent.receive(success, from: Self.there, 10_000_000).events.isEmpty)
    let next = agent.poll(50_000_000).datagrams
    #expect(next.count == 1)
    #expect(try ReadMessage(next[0].bytes, password: remote.password).isNominating)
  }

  @Test("an agent that controls again nominates again")
  func twice() throws {
    let agent = end(local, remote, [Self.there], seed: 1)
    /// Answers the last request. Returns: whether it nominated.
    func answer(_ output: ICEOutput, at now: Int) throws -> Bool {
      let check = try ReadMessage(try #require(output.datagrams.last).bytes, password: remote.password)
      let success = try ICEMessages.make(
        .success, transaction: check.transactionID, password: remote.password
      ) { writer throws(STUNError) in try writer.append(mappedAddress: Self.here) }
      _ = agent.receive(success, from: Self.there, now)
      return check.isNominating
    }
    func check(isControlling: Bool) throws -> [UInt8] {
      try ICEMessages.make(password: local.password) { writer throws(STUNError) in
        try writer.append(username: Array("\(local.fragment):\(remote.fragment)".utf8).span)
        if isControlling { try writer.append(iceControlling: .max) } else { try writer.append(iceControlled: 0) }
      }
    }
    #expect(try !answer(agent.poll(0), at: 1))
    let nomination = agent.poll(50_000_000)
    // The peer's higher number takes the role, so the nomination selects nothing.
    _ = agent.receive(try check(isControlling: true), from: Self.there, 60_000_000)
    #expect(try answer(nomination, at: 70_000_000))
    #expect(agent.selected == nil)
    // A peer that gives the role back.
    _ = agent.receive(try check(isControlling: false), from: Self.there, 80_000_000)
    #expect(try answer(agent.poll(100_000_000), at: 110_000_000))
    #expect(agent.selected == Self.there)
  }

  @Test("any datagrams leave an agent working")
  func arbitrary() throws {
    var generator = SeededGenerator(seed: 11)
    let network = ICENetwork()
    let first = end(local, remote, [Self.there], seed: 1)
    let second = end(remote, local, [Self.here], seed: 2)
    for round in 0..<5_000 {
      var bytes = try ICEMessages.check(to: local, isNominating: round % 2 == 0)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = first.receive(bytes, from: Self.hidden, 0)
      _ = first.receive(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))), from: Self.there, 0)
    }
    network.attach(first, Self.here)
    network.attach(second, Self.there)
    network.run(until: 20 * Self.seconds)
    #expect(first.agent.selectedAddress == Self.there && second.agent.selectedAddress == Self.here)
  }
}

/// Seeded numbers for an agent, after a first one that a test may choose.
private final class SharedGenerator: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): one test uses it on one thread.
  private var generator: SeededGenerator
  private var first: UInt64?

  init(seed: UInt64, first: UInt64?) {
    generator = SeededGenerator(seed: seed)
    self.first = first
  }

  @Sendable func next() -> UInt64 {
    defer { first = nil }
    return first ?? generator.next()
  }
}
