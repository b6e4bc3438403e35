import NetworkIO
import Platform
import Signalling

/// One user's connection to one relay: a WebSocket that serves the user's memberships of channels.
///
///     opened, closed, messages ─▶ ┌─────────┐ ─▶ takeCommand    the WebSocket's shell
///     time                     ─▶ │ session │
///                                 └────┬────┘
///                 requests, answers    │    lost, open again
///                                 ┌────┴────────┐
///     datagrams                ─▶ │ memberships │ ─▶ takeDatagram, takeEvent
///                                 └─────────────┘
///
/// A state machine: it reads no clock and has no socket. The session opens with its first membership, and closes behind
/// the last one, unless the program holds it open or has preloads. A lost WebSocket, or one without an answer for 10 s,
/// is replaced: the session is resumed, and every membership joins again.
///
/// Thread: one at a time.
package final class RelaySession {
  /// Messages of the relay that could not be read; each is ignored.
  package internal(set) var unreadableMessageCount = 0
  /// Memberships with a channel, or on their way to one, in the order of their joins.
  package internal(set) var memberships: [ChannelMembership] = []
  /// Transports of later joins, in the order of their calls.
  package internal(set) var preloads: [ChannelPreload] = []
  let options: RelaySessionOptions
  var random: any RandomNumberGenerator
  var phase = SessionPhase.idle
  var times = SessionTimes()
  var delay = ReconnectDelay()
  var relays = RelayChoice()
  /// Token or app id of the newest `hello`.
  var credential: SessionCredential?
  /// Token with which a later WebSocket resumes the session.
  var resume: SecretText?
  /// Id of the newest `hello`.
  var attempt: UInt32 = 0
  /// Rate of the joins: a resumed session must not flood its relay.
  var pace = RateLimit(perSecond: 100, burst: 16)
  var holding = SessionHold()
  /// Uid that the relay derives from the user's account; nil for another user.
  package internal(set) var accountUID: UInt32?
  /// Reason why the newest attempt has failed; nil after a success.
  package internal(set) var failure: ChannelError?
  /// Channels that were left without the relay's answer, and the ids of the newest requests: each connection repeats
  /// them until there is one.
  var abandoned: [ChannelName: UInt32] = [:]
  /// Requests of the session that wait for an answer.
  var requests: [UInt32: SessionRequest] = [:]
  private var output = SessionOutput()
  private var nextID: UInt32 = 1

  /// Creates a session without a connection.
  ///
  /// - Parameters:
  ///   - options: Options of the session.
  ///   - random: Source of the delays between attempts.
  package init(
    _ options: RelaySessionOptions, random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.options = options
    self.random = random
  }

  /// Returns the next command for the WebSocket; nil if there is none.
  package func takeCommand() -> SignallingCommand? {
    output.commands.isEmpty ? nil : output.commands.removeFirst()
  }

  /// Returns the next event; nil if there is none.
  package func takeEvent() -> SessionEvent? { output.events.isEmpty ? nil : output.events.removeFirst() }

  /// Whether the relay has taken the session, and messages can be sent.
  package var isOpen: Bool { phase == .open }

  /// Whether the program holds the session open.
  package var isHeld: Bool { holding.credential != nil }

  /// Whether nothing is left to do.
  package var isIdle: Bool { phase == .idle && !holding.isAwaitingToken }

  // MARK: Internal

  func makeID() -> UInt32 {
    defer { nextID = nextID == .max ? 1 : nextID + 1 }
    return nextID
  }

  func send(_ message: ClientMessage, _ now: Int) {
    times.sentText = now
    times.unanswered = times.unanswered ?? now
    output.commands.append(.send(message.text))
  }

  /// Sends a request of the program, within half of the relay's limit: a burst must not end the session.
  func sendPaced(_ message: ClientMessage, _ now: Int) {
    output.held.append(message)
    sendHeld(now)
  }

  /// Sends the requests that have waited for their turn.
  func sendHeld(_ now: Int) {
    while phase == .open, !output.held.isEmpty, output.pace.allows(at: Int64(now)) {
      send(output.held.removeFirst(), now)
    }
  }

  /// Time at which a request of the program may be sent; `Int.max` if none waits.
  var heldDeadline: Int { output.held.isEmpty ? .max : Int(output.pace.nextAllowedNanoseconds) }

  /// Sets the rate of the program's requests.
  func setPace(perSecond: Int, burst: Int) { output.pace = RateLimit(perSecond: perSecond, burst: burst) }

  /// - Returns: Whether the request had not been sent.
  func removeHeld(_ id: UInt32) -> Bool {
    guard let index = output.held.firstIndex(where: { $0.id == id }) else { return false }
    output.held.remove(at: index)
    return true
  }

  func forgetHeld() { output.held = [] }

  func emit(_ event: SessionEvent) { output.events.append(event) }

  func command(_ command: SignallingCommand) { output.commands.append(command) }

  /// Address of the relay of the present attempt.
  var relay: String { relays.current ?? options.relay }
}
