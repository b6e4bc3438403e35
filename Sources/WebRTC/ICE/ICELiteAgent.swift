public import Platform

/// Server side of a connection: it answers connectivity checks and sends none.
///
///     datagram, source, time ─▶ receive ─▶ response or silence, event
///
/// Only a check under the session's password has an answer. The errors 400 and 401 that RFC 8489 has for other requests
/// are left out: a server neither reveals itself to a scanner nor sends datagrams to a forged source.
///
/// The latest address with USE-CANDIDATE is the session's until `requireProof`. From then on a check only proposes an
/// address, since it can be repeated, and its source forged. Packets stay with the present address until the proposed
/// one is proved: by a packet, or by an answer to a request. Addresses that were proved earlier stay trusted.
///
/// A state machine: it reads no clock and has no socket. For a datagram it allocates nothing but the hash's state, in
/// OpenSSL.
///
/// Thread: one at a time.
///
/// Source: RFC 8445, sections 2.5, 7.3 and 8.2; RFC 7675, section 5.1.
public struct ICELiteAgent: ~Copyable, Sendable {
  /// Room for every response, in bytes.
  public static let replyCapacity = 128
  /// Time without a check after which a session has lost its peer's consent, in nanoseconds: 30 s.
  public static let consentNanoseconds = 30_000_000_000

  /// Address for packets to the peer; nil until the peer has nominated one.
  public private(set) var selectedAddress: SocketAddress?
  /// The latest address that has passed a check without being nominated.
  public private(set) var validatedAddress: SocketAddress?
  /// The latest address that a check has proposed; nil without one, or after its proof.
  public private(set) var proposedAddress: SocketAddress?
  /// Addresses that were selected before, the latest first.
  private var formerAddresses: [SocketAddress] = []
  private var needsProof = false
  private static let largestFormerCount = 3
  /// Time of the last valid check from the selected address, or from any address before there is one.
  public private(set) var lastCheckNanoseconds: Int?
  private var responder: ICEResponder

  /// Creates the agent of a session.
  ///
  /// - Parameter credentials: credentials of this end, which the peer has from the description.
  public init(_ credentials: ICECredentials) { responder = ICEResponder(credentials) }

  /// Takes a datagram.
  ///
  /// - Parameters:
  ///   - datagram: bytes of the datagram.
  ///   - source: its source.
  ///   - nowNanoseconds: time of the call.
  ///   - reply: memory of `replyCapacity` bytes for the response.
  /// - Returns: Silence also for a datagram that is not a STUN message.
  public mutating func receive(
    _ datagram: Span<UInt8>, from source: SocketAddress, nowNanoseconds: Int, reply: UnsafeMutableRawBufferPointer
  ) -> ICELiteAnswer {
    guard let message = try? STUNMessageReader(datagram) else { return .silence }
    return receive(message, from: source, nowNanoseconds: nowNanoseconds, reply: reply)
  }

  /// Takes a message of this session, found by `receiverFragment`.
  public mutating func receive(
    _ message: borrowing STUNMessageReader, from source: SocketAddress, nowNanoseconds: Int,
    reply: UnsafeMutableRawBufferPointer
  ) -> ICELiteAnswer {
    guard responder.isAuthentic(message) else { return .silence }
    if let code = fault(of: message) {
      let count = responder.refuse(message, code, into: reply)
      return ICELiteAnswer(replyByteCount: count, isAuthentic: true, event: nil)
    }
    let event = note(source, isNominated: message.usesCandidate, nowNanoseconds: nowNanoseconds)
    let count = responder.accept(message, from: source, into: reply)
    return ICELiteAnswer(replyByteCount: count, isAuthentic: true, event: event)
  }

  /// Lets checks from other addresses only propose them from now on.
  public mutating func requireProof() { needsProof = true }

  /// Whether datagrams from an address can be the peer's.
  public func trusts(_ source: SocketAddress) -> Bool {
    let source = source.unmapped
    return source == selectedAddress || source == validatedAddress || source == proposedAddress
      || formerAddresses.contains(source)
  }

  /// Takes the proof that the peer is at an address, which it has proposed or had before.
  ///
  /// - Returns: The change; nil if the address is the selected one.
  public mutating func prove(_ source: SocketAddress, nowNanoseconds: Int) -> ICELiteEvent? {
    let source = source.unmapped
    guard let selected = selectedAddress, source != selected,
      source == proposedAddress || formerAddresses.contains(source)
    else { return nil }
    formerAddresses.removeAll { $0 == source }
    formerAddresses.insert(selected, at: 0)
    if formerAddresses.count > Self.largestFormerCount { formerAddresses.removeLast() }
    if proposedAddress == source { proposedAddress = nil }
    selectedAddress = source
    lastCheckNanoseconds = nowNanoseconds
    return .moved(from: selected, to: source)
  }

  /// Returns whether the session has had no check for 30 s; the caller must stop sending.
  ///
  /// - Parameters:
  ///   - nowNanoseconds: time of the call.
  ///   - startNanoseconds: time of the session's beginning, which counts before the first check.
  public func isExpired(nowNanoseconds: Int, startNanoseconds: Int) -> Bool {
    nowNanoseconds &- (lastCheckNanoseconds ?? startNanoseconds) >= Self.consentNanoseconds
  }

  /// Takes new credentials at an ICE restart. Packets keep their address until the peer nominates one.
  ///
  /// Source: RFC 8445, section 9.
  public mutating func restart(_ credentials: ICECredentials) {
    responder = ICEResponder(credentials)
    validatedAddress = nil
    proposedAddress = nil
  }

  /// Returns the error of an authentic check. A peer of a lite agent must be in the controlling role.
  private func fault(of message: borrowing STUNMessageReader) -> STUNErrorCode? {
    if let code = responder.fault(of: message) { return code }
    return message.iceControlled == nil ? nil : .roleConflict
  }

  private mutating func note(_ source: SocketAddress, isNominated: Bool, nowNanoseconds: Int) -> ICELiteEvent? {
    let source = source.unmapped
    if needsProof, selectedAddress != nil {
      if source == selectedAddress { lastCheckNanoseconds = nowNanoseconds }
      guard source != selectedAddress, source != proposedAddress, !formerAddresses.contains(source) else { return nil }
      proposedAddress = source
      return .proposed(source)
    }
    if isNominated, source != selectedAddress {
      let former = selectedAddress
      selectedAddress = source
      lastCheckNanoseconds = nowNanoseconds
      return former.map { .moved(from: $0, to: source) } ?? .selected(source)
    }
    if selectedAddress == nil || source == selectedAddress { lastCheckNanoseconds = nowNanoseconds }
    guard source != selectedAddress, source != validatedAddress else { return nil }
    validatedAddress = source
    return .validated(source)
  }
}
