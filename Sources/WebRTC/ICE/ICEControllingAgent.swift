public import Cryptography
public import Platform

/// Client side of a connection: it checks the peer's candidates, nominates one and keeps the consent to send to it.
///
///     time ─▶ poll ─────────▶ datagrams, events     at nextDeadlineNanoseconds
///     datagram ─▶ receive ──▶ datagrams, events
///
/// Nomination is regular, as RFC 8445 demands: a check without USE-CANDIDATE must succeed first, and one pair only is
/// nominated. The first pair that succeeds is taken, as it has the shortest round trip. A lite peer with one candidate
/// gets USE-CANDIDATE in the first check: there is nothing to choose, and it saves a round trip.
///
/// Consent checks to a lite peer have USE-CANDIDATE, too, so that it follows this agent to another network.
///
/// The agent begins in the controlling role and takes the other one if a full peer has it. A state machine: it reads no
/// clock and has no socket.
///
/// Thread: one at a time.
///
/// Source: RFC 8445, sections 6 to 9; RFC 7675, section 5; RFC 8863, section 4.
public struct ICEControllingAgent: ~Copyable, Sendable {
  /// Most candidates of a peer; others are ignored. Source: RFC 8445, section 6.1.2.5.
  public static let largestCandidateCount = 100

  /// Phase of the connection.
  enum Phase {
    case checking
    case connected
    /// After `failed` and `consentLost`.
    case ended
  }

  /// Address for packets to the peer; nil before the first selection. During a restart it is the former one.
  public internal(set) var selectedAddress: SocketAddress?
  /// This agent's address as the peer saw it last; nil before the first response.
  public internal(set) var mappedAddress: SocketAddress?
  /// Whether this agent nominates; false after a role conflict that it has lost.
  public internal(set) var isControlling = true

  var phase = Phase.checking
  var tieBreaker: UInt64
  var isPeerLite: Bool
  var hasAllCandidates: Bool
  var responder: ICEResponder
  var remoteKey: STUNIntegrityKey
  /// Name in the requests.
  var username: [UInt8]
  var pairs: [ICECandidatePair] = []
  var transactions: [ICETransaction] = []
  /// Index of the pair that this agent is nominating or has nominated.
  var nominatedPair: Int?
  /// Earliest time of the next new check.
  var checkNanoseconds: Int
  /// Earliest time to fail.
  var patienceNanoseconds: Int
  var consentCheckNanoseconds = 0
  var consentEndNanoseconds = 0
  let random: @Sendable () -> UInt64

  /// Creates an agent; its first check is due at once.
  ///
  /// - Parameters:
  ///   - local: credentials of this end.
  ///   - remote: credentials of the peer, from its description.
  ///   - isPeerLite: whether the description has `a=ice-lite`.
  ///   - candidates: candidates of the description; unusable ones are skipped.
  ///   - areCandidatesComplete: whether the description has all candidates; if not, the agent does not fail before
  ///     `endCandidates`.
  ///   - nowNanoseconds: present time.
  ///   - random: unpredictable numbers.
  public init(
    local: ICECredentials, remote: ICECredentials, isPeerLite: Bool, candidates: [ICECandidate],
    areCandidatesComplete: Bool = true, nowNanoseconds: Int,
    random: @escaping @Sendable () -> UInt64 = { SecureRandom.number() }
  ) {
    self.random = random
    self.isPeerLite = isPeerLite
    tieBreaker = random()
    hasAllCandidates = areCandidatesComplete
    responder = ICEResponder(local)
    remoteKey = STUNIntegrityKey(password: remote.password)
    username = Array("\(remote.fragment):\(local.fragment)".utf8)
    checkNanoseconds = nowNanoseconds
    patienceNanoseconds = nowNanoseconds &+ ICETimes.patience
    for candidate in candidates { add(candidate) }
  }

  /// Address of the first check, or the selected address. A DTLS ClientHello may follow the first check to it without
  /// waiting for the answer; nil without a usable candidate.
  public var firstAddress: SocketAddress? { selectedAddress ?? bestPair { _ in true }.map { pairs[$0].address } }

  /// Time at which `poll` is to be called; nil if there is nothing to do before the next datagram or candidate.
  public var nextDeadlineNanoseconds: Int? {
    var deadline: Int?
    func consider(_ time: Int) { deadline = min(deadline ?? time, time) }
    guard phase != .ended else { return nil }
    for transaction in transactions { consider(transaction.deadlineNanoseconds) }
    if nextCheck != nil { consider(checkNanoseconds) }
    if phase == .connected {
      consider(consentCheckNanoseconds)
      consider(consentEndNanoseconds)
    } else if isHopeless {
      consider(patienceNanoseconds)
    }
    return deadline
  }

  /// Does the work that is due: checks, retransmissions, consent checks.
  public mutating func poll(nowNanoseconds: Int) -> ICEOutput {
    var output = ICEOutput()
    guard phase != .ended else { return output }
    if phase == .connected { keepConsent(nowNanoseconds, &output) }
    expireTransactions(nowNanoseconds, &output)
    if phase != .ended { startCheck(nowNanoseconds, &output) }
    if phase == .checking, isHopeless, nowNanoseconds >= patienceNanoseconds { end(.failed, &output) }
    return output
  }

  /// Takes a datagram; anything but a STUN message of this connection is ignored.
  public mutating func receive(
    _ datagram: Span<UInt8>, from source: SocketAddress, nowNanoseconds: Int
  ) -> ICEOutput {
    var output = ICEOutput()
    guard phase != .ended, let message = try? STUNMessageReader(datagram),
      message.method == STUNMessageReader.bindingMethod
    else { return output }
    switch message.messageClass {
    case .request: answer(message, from: source.unmapped, nowNanoseconds, &output)
    case .success, .error: take(message, from: source.unmapped, nowNanoseconds, &output)
    case .indication: break
    }
    return output
  }

  /// Adds a candidate that came after the description.
  public mutating func add(_ candidate: ICECandidate) {
    guard let address = candidate.usableAddress, !pairs.contains(where: { $0.address == address }),
      pairs.count < Self.largestCandidateCount
    else { return }
    pairs.append(ICECandidatePair(address, remotePriority: candidate.priority))
  }

  /// Notes the end of the peer's candidates.
  public mutating func endCandidates() { hasAllCandidates = true }

  /// Takes new credentials and candidates of both ends. Packets keep their address until the next selection.
  ///
  /// Source: RFC 8445, section 9.
  public mutating func restart(
    local: ICECredentials, remote: ICECredentials, isPeerLite: Bool, candidates: [ICECandidate],
    areCandidatesComplete: Bool = true, nowNanoseconds: Int
  ) {
    let (selected, mapped) = (selectedAddress, mappedAddress)
    self = ICEControllingAgent(
      local: local, remote: remote, isPeerLite: isPeerLite, candidates: candidates,
      areCandidatesComplete: areCandidatesComplete, nowNanoseconds: nowNanoseconds, random: random)
    (selectedAddress, mappedAddress) = (selected, mapped)
  }

  /// Ends the checks.
  mutating func end(_ event: ICEEvent, _ output: inout ICEOutput) {
    phase = .ended
    transactions = []
    output.events.append(event)
  }

  /// Whether every pair has failed, and no other candidate is announced.
  private var isHopeless: Bool { hasAllCandidates && pairs.allSatisfy { $0.state == .failed } }
}
