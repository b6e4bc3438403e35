/// Consent of the selected peer.
///
/// Source: RFC 7675, section 5.1.
extension ICEControllingAgent {
  /// Sends the next consent check if its time has come, or ends the connection. A consent check is not retransmitted.
  mutating func keepConsent(_ now: Int, _ output: inout ICEOutput) {
    guard now < consentEndNanoseconds else { return end(.consentLost, &output) }
    guard now >= consentCheckNanoseconds, let nominatedPair else { return }
    consentCheckNanoseconds =
      now
      &+ (consentEndNanoseconds &- now < ICETimes.consentAtRisk
        ? ICETimes.urgentConsentInterval : ICETimes.consentInterval(random: random()))
    send(.consent, to: nominatedPair, now, &output)
  }

  /// Time of the newest successful check of the selected pair; nil before it.
  public var heardNanoseconds: Int? { phase == .connected ? consentEndNanoseconds - ICETimes.consent : nil }

  /// Notes that the local network has changed: the next consent check is due at once, and a lite peer follows it.
  public mutating func localAddressChanged(nowNanoseconds: Int) {
    guard phase == .connected else { return }
    consentCheckNanoseconds = nowNanoseconds
  }
}
