import Platform
import Testing

@testable import WebRTC

@Suite("Lite agent", .timeLimit(.minutes(10)))
struct ICELiteAgentTests {
  private static let first = ICEMessages.address("192.0.2.1", 5000)
  private static let second = ICEMessages.address("198.51.100.9", 6000)
  private let credentials = ICECredentials()

  /// Gives a datagram to an agent. Returns: its answer, with the bytes of the response.
  private func give(
    _ agent: inout ICELiteAgent, _ datagram: [UInt8], from source: SocketAddress = first, at now: Int = 0
  ) -> (answer: ICELiteAnswer, reply: [UInt8]) {
    var memory = [UInt8](repeating: 0, count: ICELiteAgent.replyCapacity)
    let answer = memory.withUnsafeMutableBytes {
      agent.receive(datagram.span, from: source, nowNanoseconds: now, reply: $0)
    }
    return (answer, Array(memory[..<answer.replyByteCount]))
  }

  @Test("a check is answered with its source under the password", arguments: ["192.0.2.1", "2001:db8::1"])
  func check(host: String) throws {
    var agent = ICELiteAgent(credentials)
    let source = ICEMessages.address(host)
    let result = give(&agent, try ICEMessages.check(to: credentials), from: source)
    #expect(result.answer.event == .validated(source) && result.answer.isAuthentic)
    let reply = try ReadMessage(result.reply, password: credentials.password)
    #expect(reply.messageClass == .success && reply.isAuthentic && reply.hasFingerprint)
    #expect(reply.mappedAddress == source && reply.transactionID == ICEMessages.transaction)
    #expect(agent.selectedAddress == nil && agent.validatedAddress == source)
    // The same address is reported once.
    #expect(give(&agent, try ICEMessages.check(to: credentials), from: source).answer.event == nil)
  }

  @Test("a nomination selects its address, a later one moves the session")
  func nominations() throws {
    var agent = ICELiteAgent(credentials)
    let plain = try ICEMessages.check(to: credentials)
    let nominating = try ICEMessages.check(to: credentials, isNominating: true)
    #expect(give(&agent, nominating).answer.event == .selected(Self.first))
    #expect(give(&agent, nominating).answer.event == nil)
    #expect(give(&agent, plain, from: Self.second).answer.event == .validated(Self.second))
    #expect(agent.selectedAddress == Self.first)
    #expect(give(&agent, nominating, from: Self.second).answer.event == .moved(from: Self.first, to: Self.second))
    #expect(agent.selectedAddress == Self.second)
  }

  @Test("a source in IPv6 notation of IPv4 is the IPv4 address")
  func mapped() throws {
    var agent = ICELiteAgent(credentials)
    let nominating = try ICEMessages.check(to: credentials, isNominating: true)
    let result = give(&agent, nominating, from: ICEMessages.address("::ffff:192.0.2.1", 5000))
    #expect(result.answer.event == .selected(Self.first))
    #expect(try ReadMessage(result.reply, password: credentials.password).mappedAddress == Self.first)
  }

  @Test("a message without this session's credentials has no answer")
  func unauthenticated() throws {
    var agent = ICELiteAgent(credentials)
    let other = ICECredentials()
    let good = try ICEMessages.check(to: credentials, isNominating: true)
    var datagrams = [
      [], [0x16, 0xFE, 0xFF], STUNVectors.request, STUNVectors.responseIPv4, Array(good.dropLast()),
      try ICEMessages.check(to: other),
      // A bare binding request, with and without a fingerprint.
      try ICEMessages.make(password: nil) { _ throws(STUNError) in },
      try ICEMessages.make(password: nil, fingerprint: false) { _ throws(STUNError) in },
      // The password without a name, under a longer name, a shorter one, and a name without a colon.
      try ICEMessages.make(password: credentials.password) { _ throws(STUNError) in },
      try ICEMessages.check(to: credentials, name: credentials.fragment + "x:peer"),
      try ICEMessages.check(to: credentials, name: credentials.fragment.dropLast() + ":peer"),
      try ICEMessages.check(to: credentials, name: credentials.fragment),
      try ICEMessages.check(to: credentials, name: ":" + credentials.fragment),
      // The right name under another password; the name without a code.
      try ICEMessages.check(to: credentials, isNominating: true, password: other.password),
      try ICEMessages.make(password: nil) { writer throws(STUNError) in
        try writer.append(username: Array((credentials.fragment + ":peer").utf8).span)
        try writer.appendUseCandidate()
      },
    ]
    // An indication and responses are not checks, whatever their code.
    for messageClass in [STUNMessageClass.indication, .success, .error] {
      datagrams.append(
        try ICEMessages.make(messageClass, password: credentials.password) { writer throws(STUNError) in
          try writer.append(username: Array((credentials.fragment + ":peer").utf8).span)
          try writer.appendUseCandidate()
        })
    }
    for (index, datagram) in datagrams.enumerated() {
      let result = give(&agent, datagram)
      #expect(result.answer == .silence, "datagram \(index)")
    }
    #expect(agent.selectedAddress == nil && agent.lastCheckNanoseconds == nil)
    #expect(give(&agent, good).answer.event == .selected(Self.first))
  }

  @Test("a controlled peer is told to take the controlling role")
  func roleConflict() throws {
    var agent = ICELiteAgent(credentials)
    let check = try ICEMessages.make(password: credentials.password) { writer throws(STUNError) in
      try writer.append(username: Array((credentials.fragment + ":peer").utf8).span)
      try writer.append(priority: 1)
      try writer.append(iceControlled: 1)
    }
    let result = give(&agent, check)
    let reply = try ReadMessage(result.reply, password: credentials.password)
    #expect(reply.messageClass == .error && reply.errorCode == 487 && reply.isAuthentic && result.answer.event == nil)
  }

  @Test("an unknown required attribute is named, an optional one is ignored")
  func unknownAttributes() throws {
    var agent = ICELiteAgent(credentials)
    let check = try ICEMessages.check(to: credentials, isNominating: true)
    let strange = try ICEMessages.inserting([0x7F, 1, 0, 1, 9, 0, 0, 0], into: check, password: credentials.password)
    let result = give(&agent, strange)
    let reply = try ReadMessage(result.reply, password: credentials.password)
    #expect(reply.errorCode == 420 && reply.unknownAttributes == [0x7F, 1] && result.answer.event == nil)
    let many = try ICEMessages.inserting(
      Array((0..<40).map { [0x70, UInt8($0), 0, 0] }.joined()), into: check, password: credentials.password)
    #expect(try ReadMessage(give(&agent, many).reply, password: credentials.password).unknownAttributes?.count == 16)
    let optional = try ICEMessages.inserting(
      [0xC0, 0x57, 0, 4, 0, 0, 0, 9], into: check, password: credentials.password)
    #expect(give(&agent, optional).answer.event == .selected(Self.first))
  }

  @Test("a check with an attribute of a wrong size is a bad request")
  func badRequest() throws {
    var agent = ICELiteAgent(credentials)
    let bare = try ICEMessages.make(password: credentials.password) { writer throws(STUNError) in
      try writer.append(username: Array((credentials.fragment + ":peer").utf8).span)
    }
    let faulty: [[UInt8]] = [
      [0, 0x24, 0, 3, 1, 2, 3, 0], [0, 0x25, 0, 4, 0, 0, 0, 0], [0x80, 0x2A, 0, 4, 0, 0, 0, 0],
      [0x80, 0x29, 0, 0],
      [0x80, 0x29, 0, 8] + [UInt8](repeating: 0, count: 8) + [0x80, 0x2A, 0, 8]
        + [UInt8](repeating: 0, count: 8),
    ]
    for attribute in faulty {
      let check = try ICEMessages.inserting(attribute, into: bare, password: credentials.password)
      let reply = try ReadMessage(give(&agent, check).reply, password: credentials.password)
      #expect(reply.errorCode == 400 && reply.isAuthentic, "\(attribute)")
    }
    #expect(agent.selectedAddress == nil)
  }

  @Test("consent ends 30 s after the last check from the selected address")
  func consent() throws {
    var agent = ICELiteAgent(credentials)
    let second = 1_000_000_000
    var isExpired = [31 * second - 1, 31 * second].map { agent.isExpired(nowNanoseconds: $0, startNanoseconds: second) }
    #expect(isExpired == [false, true])
    _ = give(&agent, try ICEMessages.check(to: credentials, isNominating: true), at: 10 * second)
    _ = give(&agent, try ICEMessages.check(to: credentials), at: 20 * second)
    // Another address keeps nothing alive.
    _ = give(&agent, try ICEMessages.check(to: credentials), from: Self.second, at: 40 * second)
    #expect(agent.lastCheckNanoseconds == 20 * second)
    isExpired = [50 * second - 1, 50 * second].map { agent.isExpired(nowNanoseconds: $0, startNanoseconds: 0) }
    #expect(isExpired == [false, true])
  }

  @Test("after a restart only the new credentials are answered")
  func restart() throws {
    var agent = ICELiteAgent(credentials)
    let old = try ICEMessages.check(to: credentials, isNominating: true)
    _ = give(&agent, old)
    let renewed = ICECredentials()
    agent.restart(renewed)
    #expect(agent.selectedAddress == Self.first)
    #expect(give(&agent, old, from: Self.second).answer == .silence)
    let check = try ICEMessages.check(to: renewed, isNominating: true)
    #expect(give(&agent, check, from: Self.second).answer.event == .moved(from: Self.first, to: Self.second))
  }

  @Test("memory that is too short for a response leads to silence")
  func shortMemory() throws {
    var agent = ICELiteAgent(credentials)
    let check = try ICEMessages.check(to: credentials)
    var memory = [UInt8](repeating: 0, count: 40)
    let answer = memory.withUnsafeMutableBytes {
      agent.receive(check.span, from: Self.first, nowNanoseconds: 0, reply: $0)
    }
    #expect(answer.replyByteCount == 0 && answer.isAuthentic)
  }
}
