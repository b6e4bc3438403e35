import Platform

/// The path of a client, which checks the peer's candidates.
final class ControllingPath: MediaPath {
  private var agent: ICEControllingAgent
  /// Addresses of the peer's candidates.
  private var candidates: Set<SocketAddress>

  init(_ agent: consuming ICEControllingAgent, candidates: [ICECandidate]) {
    self.agent = agent
    self.candidates = Set(candidates.compactMap(\.usableAddress))
  }

  var remoteAddress: SocketAddress? { agent.selectedAddress }
  var earlyAddress: SocketAddress? { agent.firstAddress }
  var mappedAddress: SocketAddress? { agent.mappedAddress }
  var heardNanoseconds: Int? { agent.heardNanoseconds }
  var nextDeadlineNanoseconds: Int? { agent.nextDeadlineNanoseconds }

  func receive(
    _ message: UnsafeRawBufferPointer, from source: SocketAddress, nowNanoseconds: Int, _ output: inout PathOutput
  ) -> Bool {
    let result = agent.receive(Span<UInt8>(_unsafeBytes: message), from: source, nowNanoseconds: nowNanoseconds)
    add(result, &output)
    return !result.datagrams.isEmpty || !result.events.isEmpty
  }

  func poll(nowNanoseconds: Int, _ output: inout PathOutput) {
    add(agent.poll(nowNanoseconds: nowNanoseconds), &output)
  }

  func trusts(_ source: SocketAddress) -> Bool {
    let source = source.unmapped
    return source == agent.selectedAddress || candidates.contains(source)
  }

  // This end sends the checks: a peer cannot move by its own.
  func requireProof() {}
  func prove(_ source: SocketAddress, nowNanoseconds: Int, _ output: inout PathOutput) {}

  func check(nowNanoseconds: Int) { agent.localAddressChanged(nowNanoseconds: nowNanoseconds) }

  /// Notes that nothing listens at an address.
  func noteUnreachable(_ address: SocketAddress) { agent.noteUnreachable(address) }

  private func add(_ result: ICEOutput, _ output: inout PathOutput) {
    output.datagrams += result.datagrams
    for event in result.events {
      switch event {
      case .selected(let address): output.events.append(.selected(address))
      case .failed: output.events.append(.failed(.unreachable))
      case .consentLost: output.events.append(.failed(.consentLost))
      }
    }
  }
}
