/// A place in the relay, the session, the transport or the jitter buffer that rare faults alone reach.
///
/// A run of seeds that never reaches one has not tested it. Documentation/Simulation.md says how runs report them.
public enum ReachPoint: UInt8, CaseIterable, Sendable, CustomStringConvertible {
  /// Relay: a session is resumed on another connection.
  case sessionResumed
  /// Relay: a resume token names a session that is not there.
  case sessionUnknown
  /// Relay: a session continues on a new connection before the former one has ended.
  case sessionTakenOver
  /// Relay: a connection without messages is closed.
  case connectionSilent
  /// Relay: a user without packets is dropped.
  case userDropped
  /// Relay: a media connection ends before its user has left.
  case mediaEnded
  /// Relay: a datagram comes from an address without a media connection.
  case addressUnknown
  /// Relay: a packet was requested from its publisher and was only late.
  case requestedTooEarly
  /// Relay: a listener requests a packet that is not kept.
  case packetNotKept
  /// Relay: a packet from before a pause comes behind it.
  case packetBeforePause
  /// Relay: a listener's numbers continue behind a restart of the publisher.
  case numbersContinued
  /// Session: a WebSocket does not open in time.
  case openTimedOut
  /// Session: an open WebSocket is replaced because it brings no answer.
  case socketDeaf
  /// Session: a joined channel hears nothing for 4 s.
  case connectionInterrupted
  /// Session: nothing is heard for 10 s.
  case connectionLost
  /// Session: a media connection is not established in time.
  case mediaTimedOut
  /// Session: the relay has dropped the user.
  case dropNoticed
  /// Session: a channel joins again over a session that another one proves.
  case rejoinedInSession
  /// Session: a channel retries its join over a session in use.
  case retriedInSession
  /// Session: a user that was there before a rejoin does not return.
  case absentUserExpired
  /// Session: a report follows an unanswered check.
  case reportBehindCheck
  /// Session: the user has moved to another network.
  case networkChanged
  /// Transport: a packet is dropped as a replay.
  case packetRepeated
  /// Transport: a replay window moves by more than 64 packets.
  case replayWindowJumped
  /// Transport: a packet proves the peer's new address.
  case movedByPacket
  /// Transport: the answer to a check proves the peer's new address.
  case movedByAnswer
  /// Transport: DTLS sends a flight again.
  case flightRepeated
  /// Transport: the ClientHello is sent again behind the first check.
  case helloRepeated
  /// Transport: a peer's consent ends.
  case consentLost
  /// Jitter buffer: no packet comes for 15 s.
  case streamEndedSilently
  /// Jitter buffer: a stream continues with lost packets behind its end.
  case streamContinued
  /// Jitter buffer: a packet is further ahead than the buffer is long.
  case packetFarAhead
  /// Jitter buffer: frozen sound turns out to be the sender's pause.
  case pauseExcused
  /// Jitter buffer: a retransmission comes for sound that was concealed.
  case answerTooLate
  /// Jitter buffer: a new source waits for the end of the one that leaves.
  case sourceDeferred
  /// Jitter buffer: stalls of the network recur.
  case stallsRecur
  /// Jitter buffer: a stream ends behind its sender's BYE.
  case streamPlayedOut

  /// The part and the event, in a sentence.
  public var description: String {
    switch self {
    case .sessionResumed: "relay: a session is resumed on another connection"
    case .sessionUnknown: "relay: a resume token names a session that is not there"
    case .sessionTakenOver: "relay: a session continues on a new connection before the former one has ended"
    case .connectionSilent: "relay: a connection without messages is closed"
    case .userDropped: "relay: a user without packets is dropped"
    case .mediaEnded: "relay: a media connection ends before its user has left"
    case .addressUnknown: "relay: a datagram comes from an address without a media connection"
    case .requestedTooEarly: "relay: a packet was requested from its publisher and was only late"
    case .packetNotKept: "relay: a listener requests a packet that is not kept"
    case .packetBeforePause: "relay: a packet from before a pause comes behind it"
    case .numbersContinued: "relay: a listener's numbers continue behind a restart of the publisher"
    case .openTimedOut: "session: a WebSocket does not open in time"
    case .socketDeaf: "session: an open WebSocket is replaced because it brings no answer"
    case .connectionInterrupted: "session: a joined channel hears nothing for 4 s"
    case .connectionLost: "session: nothing is heard for 10 s"
    case .mediaTimedOut: "session: a media connection is not established in time"
    case .dropNoticed: "session: the relay has dropped the user"
    case .rejoinedInSession: "session: a channel joins again over a session that another one proves"
    case .retriedInSession: "session: a channel retries its join over a session in use"
    case .absentUserExpired: "session: a user that was there before a rejoin does not return"
    case .reportBehindCheck: "session: a report follows an unanswered check"
    case .networkChanged: "session: the user has moved to another network"
    case .packetRepeated: "transport: a packet is dropped as a replay"
    case .replayWindowJumped: "transport: a replay window moves by more than 64 packets"
    case .movedByPacket: "transport: a packet proves the peer's new address"
    case .movedByAnswer: "transport: the answer to a check proves the peer's new address"
    case .flightRepeated: "transport: DTLS sends a flight again"
    case .helloRepeated: "transport: the ClientHello is sent again behind the first check"
    case .consentLost: "transport: a peer's consent ends"
    case .streamEndedSilently: "jitter buffer: no packet comes for 15 s"
    case .streamContinued: "jitter buffer: a stream continues with lost packets behind its end"
    case .packetFarAhead: "jitter buffer: a packet is further ahead than the buffer is long"
    case .pauseExcused: "jitter buffer: frozen sound turns out to be the sender's pause"
    case .answerTooLate: "jitter buffer: a retransmission comes for sound that was concealed"
    case .sourceDeferred: "jitter buffer: a new source waits for the end of the one that leaves"
    case .stallsRecur: "jitter buffer: stalls of the network recur"
    case .streamPlayedOut: "jitter buffer: a stream ends behind its sender's BYE"
    }
  }
}
