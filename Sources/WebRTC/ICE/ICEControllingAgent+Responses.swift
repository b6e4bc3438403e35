internal import Platform

/// Responses to this agent's checks.
extension ICEControllingAgent {
  /// Takes a response. One without the peer's password, or without a request, is ignored.
  ///
  /// Source: RFC 8445, section 7.2.5.
  mutating func take(
    _ message: borrowing STUNMessageReader, from source: SocketAddress, _ now: Int, _ output: inout ICEOutput
  ) {
    let id = message.transactionID
    guard let index = transactions.firstIndex(where: { $0.id == id }), message.hasIntegrity(of: &remoteKey) else {
      return
    }
    let transaction = transactions.remove(at: index)
    if message.messageClass == .error {
      refused(transaction, code: message.errorCode)
    } else if source == transaction.datagram.address, message.unknownRequiredAttribute() == nil,
      let mapped = message.mappedAddress
    {
      mappedAddress = mapped
      succeeded(transaction, now, &output)
    } else {
      // The path is not symmetric, so packets to the address would not come back from it.
      fail(transaction)
    }
  }

  private mutating func succeeded(_ transaction: ICETransaction, _ now: Int, _ output: inout ICEOutput) {
    let pair = transaction.pair
    switch transaction.purpose {
    case .consent:
      if pairs[pair].address == selectedAddress { consentEndNanoseconds = now &+ ICETimes.consent }
    case .check:
      // A nomination of the same pair may be on its way.
      if nominatedPair != pair { pairs[pair].state = .succeeded }
      if !isControlling, pairs[pair].isNominated { select(pair, now, &output) }
    case .nomination:
      pairs[pair].state = .succeeded
      if isControlling || pairs[pair].isNominated { select(pair, now, &output) }
    }
  }

  private mutating func refused(_ transaction: ICETransaction, code: Int?) {
    guard code == Int(STUNErrorCode.roleConflict.rawValue) else { return fail(transaction) }
    if transaction.isControlling == isControlling {
      setControlling(!isControlling)
      // Two equal numbers would lead to the same conflict again.
      tieBreaker = random()
    }
    guard transaction.purpose != .consent else { return }
    if transaction.purpose == .nomination { nominatedPair = nil }
    pairs[transaction.pair].state = .waiting
    pairs[transaction.pair].isTriggered = true
  }

  /// Takes the other role. A nomination that has not succeeded has lost its meaning.
  mutating func setControlling(_ isControlling: Bool) {
    self.isControlling = isControlling
    if phase == .checking { nominatedPair = nil }
  }

  /// Takes a nominated pair that has passed its check.
  mutating func select(_ pair: Int, _ now: Int, _ output: inout ICEOutput) {
    let address = pairs[pair].address
    let isNew = phase != .connected || selectedAddress != address
    phase = .connected
    nominatedPair = pair
    // Other checks have lost their purpose.
    transactions = []
    selectedAddress = address
    consentEndNanoseconds = now &+ ICETimes.consent
    consentCheckNanoseconds = now &+ ICETimes.consentInterval(random: random())
    if isNew { output.events.append(.selected(address)) }
  }
}
