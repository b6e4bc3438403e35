internal import Platform

/// Checks of a full peer.
extension ICEControllingAgent {
  /// Answers an authentic check; others are dropped in silence.
  ///
  /// Source: RFC 8445, section 7.3.
  mutating func answer(
    _ message: borrowing STUNMessageReader, from source: SocketAddress, _ now: Int, _ output: inout ICEOutput
  ) {
    guard responder.isAuthentic(message) else { return }
    var reply = [UInt8](repeating: 0, count: ICELiteAgent.replyCapacity)
    let code = responder.fault(of: message) ?? settleRoles(message)
    let count = reply.withUnsafeMutableBytes { memory in
      if let code {
        responder.refuse(message, code, into: memory)
      } else {
        responder.accept(message, from: source, into: memory)
      }
    }
    output.datagrams.append(ICEDatagram(bytes: Array(reply[..<count]), address: source))
    if code == nil { note(message, from: source, now, &output) }
  }

  /// Compares the tie-breakers of two agents in the same role: the higher one controls.
  ///
  /// - Returns: The error for a peer that must change its role; nil without a conflict, or if this agent has changed.
  private mutating func settleRoles(_ message: borrowing STUNMessageReader) -> STUNErrorCode? {
    if isControlling, let theirs = message.iceControlling {
      if tieBreaker >= theirs { return .roleConflict }
      setControlling(false)
    } else if !isControlling, let theirs = message.iceControlled {
      if tieBreaker < theirs { return .roleConflict }
      setControlling(true)
    }
    return nil
  }

  /// Checks the source of a peer's check, too, and follows its nomination.
  private mutating func note(
    _ message: borrowing STUNMessageReader, from source: SocketAddress, _ now: Int, _ output: inout ICEOutput
  ) {
    if phase == .connected && isControlling { return }
    let isNominating = message.usesCandidate && !isControlling
    if let pair = pairs.firstIndex(where: { $0.address == source }) {
      if isNominating { pairs[pair].isNominated = true }
      switch pairs[pair].state {
      case .succeeded:
        if isNominating { select(pair, now, &output) }
      case .inProgress: break
      case .waiting, .failed:
        pairs[pair].state = .waiting
        pairs[pair].isTriggered = true
      }
    } else if pairs.count < Self.largestCandidateCount {
      var pair = ICECandidatePair(source, remotePriority: message.priority ?? 0)
      pair.isNominated = isNominating
      pair.isTriggered = true
      pairs.append(pair)
    }
  }
}
