import Platform

/// The path of a server, which answers checks. It sends one to an address that a check has proposed.
final class LitePath: MediaPath {
  private var agent: ICELiteAgent
  private let startNanoseconds: Int
  private let reply = UnsafeMutableRawBufferPointer.allocate(byteCount: ICELiteAgent.replyCapacity, alignment: 4)
  private var isOver = false
  private var request: PathRequest?

  /// Creates the path of a session.
  ///
  /// - Parameter remote: credentials of the peer; nil if they are not known, so that packets alone prove an address.
  init(_ credentials: ICECredentials, remote: ICECredentials?, nowNanoseconds: Int) {
    agent = ICELiteAgent(credentials)
    startNanoseconds = nowNanoseconds
    if let remote { request = PathRequest(local: credentials, remote: remote) }
  }

  deinit { reply.deallocate() }

  var remoteAddress: SocketAddress? { agent.selectedAddress }
  var mappedAddress: SocketAddress? { nil }
  var earlyAddress: SocketAddress? { agent.selectedAddress ?? agent.validatedAddress }

  var heardNanoseconds: Int? { agent.lastCheckNanoseconds }

  var nextDeadlineNanoseconds: Int? {
    isOver ? nil : (agent.lastCheckNanoseconds ?? startNanoseconds) + ICELiteAgent.consentNanoseconds
  }

  func receive(
    _ message: UnsafeRawBufferPointer, from source: SocketAddress, nowNanoseconds: Int, _ output: inout PathOutput
  ) -> Bool {
    guard !isOver else { return false }
    let span = Span<UInt8>(_unsafeBytes: message)
    if let response = try? STUNMessageReader(span), response.messageClass == .success {
      guard request?.isAnswered(by: response, from: source.unmapped) == true else { return false }
      prove(source, isAnswer: true, nowNanoseconds, &output)
      return false
    }
    let answer = agent.receive(span, from: source, nowNanoseconds: nowNanoseconds, reply: reply)
    if answer.replyByteCount > 0 {
      output.datagrams.append(
        ICEDatagram(bytes: Array(reply[..<answer.replyByteCount]), address: source))
    }
    switch answer.event {
    case .selected(let address)?: output.events.append(.selected(address))
    case .moved(_, let address)?: output.events.append(.moved(address))
    case .proposed?, .validated?, nil: break
    }
    if answer.isAuthentic, source.unmapped == agent.proposedAddress,
      let check = request?.make(to: source.unmapped, nowNanoseconds: nowNanoseconds)
    {
      output.datagrams.append(check)
    }
    // Until the peer's address is known any check counts, afterwards those from there alone.
    return answer.isAuthentic && (agent.selectedAddress == nil || agent.selectedAddress == source.unmapped)
  }

  func poll(nowNanoseconds: Int, _ output: inout PathOutput) {
    guard !isOver, agent.isExpired(nowNanoseconds: nowNanoseconds, startNanoseconds: startNanoseconds) else { return }
    ReachPoints.note(.consentLost)
    isOver = true
    output.events.append(.failed(.consentLost))
  }

  func check(nowNanoseconds: Int) {}

  func trusts(_ source: SocketAddress) -> Bool { agent.trusts(source) }

  func requireProof() { agent.requireProof() }

  func prove(_ source: SocketAddress, nowNanoseconds: Int, _ output: inout PathOutput) {
    prove(source, isAnswer: false, nowNanoseconds, &output)
  }

  private func prove(_ source: SocketAddress, isAnswer: Bool, _ nowNanoseconds: Int, _ output: inout PathOutput) {
    guard case .moved(_, let address)? = agent.prove(source, nowNanoseconds: nowNanoseconds) else { return }
    ReachPoints.note(isAnswer ? .movedByAnswer : .movedByPacket)
    output.events.append(.moved(address))
  }
}
