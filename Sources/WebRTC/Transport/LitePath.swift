import Platform

/// The path of a server, which answers checks and sends none.
final class LitePath: MediaPath {
  private var agent: ICELiteAgent
  private let startNanoseconds: Int
  private let reply = UnsafeMutableRawBufferPointer.allocate(byteCount: ICELiteAgent.replyCapacity, alignment: 4)
  private var isOver = false

  init(_ credentials: ICECredentials, nowNanoseconds: Int) {
    agent = ICELiteAgent(credentials)
    startNanoseconds = nowNanoseconds
  }

  deinit { reply.deallocate() }

  var remoteAddress: SocketAddress? { agent.selectedAddress }
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
    let answer = agent.receive(span, from: source, nowNanoseconds: nowNanoseconds, reply: reply)
    if answer.replyByteCount > 0 {
      output.datagrams.append(
        ICEDatagram(bytes: Array(reply[..<answer.replyByteCount]), address: source))
    }
    switch answer.event {
    case .selected(let address)?: output.events.append(.selected(address))
    case .moved(_, let address)?: output.events.append(.moved(address))
    case .validated?, nil: break
    }
    return answer.isAuthentic
  }

  func poll(nowNanoseconds: Int, _ output: inout PathOutput) {
    guard !isOver, agent.isExpired(nowNanoseconds: nowNanoseconds, startNanoseconds: startNanoseconds) else { return }
    isOver = true
    output.events.append(.failed(.consentLost))
  }

  func check(nowNanoseconds: Int) {}

  func trusts(_ source: SocketAddress) -> Bool {
    let source = source.unmapped
    return source == agent.selectedAddress || source == agent.validatedAddress
  }
}
