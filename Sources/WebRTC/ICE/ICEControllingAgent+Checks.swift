public import Platform

/// New checks and retransmissions.
extension ICEControllingAgent {
  /// Returns the pair of the highest priority for which a condition holds.
  func bestPair(_ condition: (ICECandidatePair) -> Bool) -> Int? {
    // All pairs have the same local candidate.
    let local = ICECandidate.priority(.host)
    let indices = pairs.indices.filter { condition(pairs[$0]) }
    func priority(_ index: Int) -> UInt64 {
      let remote = pairs[index].remotePriority
      return isControlling
        ? ICECandidatePair.priority(controlling: local, controlled: remote)
        : ICECandidatePair.priority(controlling: remote, controlled: local)
    }
    // The first of several equal ones.
    return indices.reduce(nil) { best, index in
      guard let best, priority(best) >= priority(index) else { return index }
      return best
    }
  }

  /// Next new check: the nomination of a valid pair, the answer to a peer's check, or a pair without a check.
  ///
  /// A connected agent in the controlling role has nominated and is done. In the other one it follows the peer.
  var nextCheck: (pair: Int, purpose: ICETransaction.Purpose)? {
    if phase == .connected && isControlling { return nil }
    if isControlling, nominatedPair == nil, let valid = bestPair({ $0.state == .succeeded }) {
      return (valid, .nomination)
    }
    let triggered = bestPair { $0.isTriggered }
    guard let pair = triggered ?? (phase == .checking ? bestPair { $0.state == .waiting } : nil) else { return nil }
    let isOnly = isControlling && isPeerLite && hasAllCandidates && pairs.count == 1
    return (pair, isOnly ? .nomination : .check)
  }

  /// Sends the next new check if its time has come.
  mutating func startCheck(_ now: Int, _ output: inout ICEOutput) {
    guard now >= checkNanoseconds, let (pair, purpose) = nextCheck else { return }
    checkNanoseconds = now &+ ICETimes.pace
    if purpose == .nomination { nominatedPair = pair }
    pairs[pair].isTriggered = false
    pairs[pair].state = .inProgress
    send(purpose, to: pair, now, &output)
  }

  /// Sends a request and notes its transaction.
  mutating func send(_ purpose: ICETransaction.Purpose, to pair: Int, _ now: Int, _ output: inout ICEOutput) {
    let id = STUNTransactionID(high: UInt32(truncatingIfNeeded: random()), low: random())
    let datagram = ICEDatagram(bytes: request(purpose, id), address: pairs[pair].address)
    let unanswered = pairs.count { $0.state == .waiting || $0.state == .inProgress }
    transactions.append(
      ICETransaction(
        id, purpose, pair: pair, datagram: datagram, isControlling: isControlling, nowNanoseconds: now,
        intervalNanoseconds: max(ICETimes.shortestRetransmission, ICETimes.pace * unanswered)))
    output.datagrams.append(datagram)
  }

  /// Retransmits the requests that are due, and gives up those that have been sent often enough.
  mutating func expireTransactions(_ now: Int, _ output: inout ICEOutput) {
    var index = 0
    while index < transactions.count {
      guard transactions[index].deadlineNanoseconds <= now else {
        index += 1
        continue
      }
      switch transactions[index].expire(nowNanoseconds: now) {
      case .retransmit:
        output.datagrams.append(transactions[index].datagram)
        index += 1
      case .end: fail(transactions.remove(at: index))
      }
    }
  }

  /// Notes that a request has had no usable response. A consent check is followed by another one.
  mutating func fail(_ transaction: ICETransaction) {
    guard transaction.purpose != .consent else { return }
    if transaction.purpose == .nomination { nominatedPair = nil }
    // A later check of the same pair decides.
    guard !transactions.contains(where: { $0.pair == transaction.pair }) else { return }
    guard pairs[transaction.pair].state == .inProgress else { return }
    pairs[transaction.pair].state = .failed
  }

  /// Notes that the system cannot send to an address, for instance for want of IPv6: other candidates come sooner.
  ///
  /// Source: RFC 8445, section 7.2.5.2.4.
  public mutating func noteUnreachable(_ address: SocketAddress) {
    guard phase == .checking, let pair = pairs.firstIndex(where: { $0.address == address.unmapped }) else { return }
    transactions.removeAll { $0.pair == pair }
    if nominatedPair == pair { nominatedPair = nil }
    pairs[pair].isTriggered = false
    pairs[pair].state = .failed
  }

  /// Returns a binding request for the peer.
  private mutating func request(_ purpose: ICETransaction.Purpose, _ id: STUNTransactionID) -> [UInt8] {
    // Two fragments of 256 bytes fit.
    [UInt8](unsafeUninitializedCapacity: 640) { memory, count in
      do throws(STUNError) {
        var writer = try STUNMessageWriter(.request, transactionID: id, into: UnsafeMutableRawBufferPointer(memory))
        try writer.append(username: username.span)
        // The peer's view of this agent would be a peer-reflexive candidate.
        try writer.append(priority: ICECandidate.priority(.peerReflexive))
        if isControlling {
          try writer.append(iceControlling: tieBreaker)
          if purpose == .nomination || purpose == .consent && isPeerLite { try writer.appendUseCandidate() }
        } else {
          try writer.append(iceControlled: tieBreaker)
        }
        try writer.appendIntegrity(&remoteKey)
        try writer.appendFingerprint()
        count = writer.byteCount
      } catch { preconditionFailure("credentials are limited to 256 bytes") }
    }
  }
}
