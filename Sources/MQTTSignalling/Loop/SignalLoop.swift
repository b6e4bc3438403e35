import CPlatform
import Calls
import Glibc
import Platform

/// Life of a client's thread: connects, subscribes, probes, publishes, and starts again after a loss.
///
///     away ──> connecting ──> subscribing ──> probing ──> open
///      ^            │              │             │ └────> unreadable
///      └────────────┴── loss ──────┴─────────────┴─────────── any
///
/// Thread: its own. Listeners and completions are called between two steps, so that they find a whole state.
final class SignalLoop {
  private static let answerLimit = 5_000_000_000
  /// The library counts its keep-alive in seconds.
  private static let longestWait = 1_000_000_000
  /// Longest pause between two attempts while messages or callers of `open` wait.
  private static let longestPauseOfCallers = 1_000_000_000
  /// Below the library's own limit of 20, beyond which it would queue messages itself.
  private static let largestWindow = 16

  let options: MQTTSignalOptions
  let topics: CallTopics
  let mailbox: SignalMailbox
  let listeners: SignalListeners
  let mosquitto: Mosquitto
  let clock = SystemClock()

  var phase = SignalPhase.away(nextAttempt: 0)
  var queue = OutgoingQueue()
  var openRequests: [OpenRequest] = []
  /// Own probe under way, and the identifier under which it was published.
  var probe: (probe: Probe, identifier: Int32)?
  /// Most messages in flight on this connection.
  var window = largestWindow
  /// Reason of the last loss or refusal, for callers of `open`.
  var lastFault: String?
  private var backoff = Backoff()
  private var connectedSince: Int?
  private var isIPv4Only = false
  /// Whether TCP has connected, or failed: before, the descriptor becomes writable once.
  private var hasMet = false

  private init(
    options: MQTTSignalOptions, mailbox: SignalMailbox, listeners: SignalListeners, mosquitto: Mosquitto
  ) {
    (self.options, self.mailbox, self.listeners, self.mosquitto) = (options, mailbox, listeners, mosquitto)
    topics = CallTopics(appID: options.appID, userID: options.userID)
  }

  var now: Int { clock.nowNanoseconds }

  /// Makes a loop on this thread and runs it until the mailbox says stop.
  static func run(
    options: MQTTSignalOptions, clientID: String, mailbox: SignalMailbox, listeners: SignalListeners
  ) {
    let mosquitto = Mosquitto(options: options, clientID: clientID)
    SignalLoop(options: options, mailbox: mailbox, listeners: listeners, mosquitto: mosquitto).run()
  }

  private func run() {
    // A write to a connection that the broker has closed is an error of that write.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    while !mailbox.isStopping {
      accept(mailbox.take())
      connectIfDue()
      handleDeadlines()
      publishWaiting()
      mailbox.note(queuedCount: queue.waitingCount)
      wait()
    }
    finish()
  }

  // MARK: Connection

  private func connectIfDue() {
    guard case .away(let nextAttempt) = phase, nextAttempt <= now else { return }
    hasMet = false
    phase = .connecting(deadline: now + Self.answerLimit)
    do throws(MosquittoFault) {
      try mosquitto.connect(isIPv4Only: isIPv4Only)
      // The resolver's time does not count.
      phase = .connecting(deadline: now + Self.answerLimit)
    } catch {
      lose(error)
    }
  }

  /// Writes queued packets, reads received ones, and acts on the reports about them.
  private func process(_ reported: Int16) {
    let isOver = reported & Int16(POLLERR | POLLHUP) != 0
    if reported != 0 { hasMet = true }
    // A TLS handshake goes on by reading, whichever direction it waits for.
    let isNew = !phase.isConnected && hasMet
    let isReadable = reported & Int16(POLLIN) != 0 || isOver || isNew
    var fault: MosquittoFault?
    do throws(MosquittoFault) {
      try mosquitto.process(isReadable: isReadable, isWritable: mosquitto.wantsToWrite || isNew)
      if isOver, !phase.isConnected { fault = MosquittoFault(kind: .network, text: "connection refused or reset") }
    } catch {
      fault = error
    }
    // A listener that stops the client gets nothing any more.
    for event in mosquitto.takeEvents() where !mailbox.isStopping { handle(event) }
    if let fault { lose(fault) }
  }

  private var isConnecting: Bool { if case .connecting = phase { true } else { false } }

  /// Ends the connection, answers for its messages and plans the next attempt. Without a connection it does nothing.
  func lose(_ fault: MosquittoFault) {
    if case .away = phase { return }
    mosquitto.close()
    let place = "\(options.brokerURL): \(fault.text)"
    var life = 0
    if let connectedSince {
      life = now - connectedSince
      listeners.log("connection to \(place)", .warning)
    } else {
      // The library tries one address; a broker of IPv4 may have a name of both families.
      if !options.broker.host.contains(":") { isIPv4Only.toggle() }
      listeners.log("no connection to \(place)", .warning)
    }
    if fault.kind == .tls {
      failOpenRequests(
        SignalError(
          .refused, code: 0, "TLS with \(place); check the broker's certificate and the options' verification"))
    }
    lastFault = fault.text
    connectedSince = nil
    probe = nil
    phase = .away(nextAttempt: now + backoff.next(afterLife: life))
    let error = SignalError(.unknown, code: 0, "the connection to \(place) before its answer; ask the receiver")
    for message in queue.takeInFlight() { message.completion(.failure(error)) }
  }

  /// Notes that the broker has accepted the connection, and subscribes.
  func connected(receiveMaximum: Int) {
    connectedSince = now
    window = max(1, min(Self.largestWindow, receiveMaximum))
    phase = .subscribing(deadline: now + Self.answerLimit)
    do throws(MosquittoFault) { try mosquitto.subscribe(to: topics.filter) } catch { lose(error) }
  }

  // MARK: Time

  private func handleDeadlines() {
    let now = now
    for message in queue.overdue(nowNanoseconds: now) {
      message.completion(
        .failure(
          SignalError(
            .notConnected, code: 0,
            "message to user \(message.userID) had no connection to \(options.brokerURL) in its time\(lastFaultClause)")
        ))
    }
    if queue.isAnswerOverdue(nowNanoseconds: now) {
      // The network may still carry the messages later, after their time.
      mosquitto.discardUnsent()
      lose(MosquittoFault(kind: .network, text: "the broker does not answer"))
    }
    if let deadline = phase.deadline, deadline <= now {
      switch phase {
      case .connecting, .subscribing: lose(MosquittoFault(kind: .network, text: "the broker does not answer"))
      case .probing: failProbe()
      case .away, .open, .unreadable: break
      }
    }
    failOverdueOpenRequests(at: now)
  }

  var lastFaultClause: String { lastFault.map { ": \($0)" } ?? "" }

  private func publishWaiting() {
    if case .away(let nextAttempt) = phase, queue.waitingCount > 0 || !openRequests.isEmpty {
      phase = .away(nextAttempt: min(nextAttempt, now + Self.longestPauseOfCallers))
    }
    while phase.isConnected, queue.inFlightCount < window, let message = queue.next() { publish(message) }
  }

  private func wait() {
    let times = [phase.deadline, queue.nextDeadlineNanoseconds, openRequests.map(\.deadlineNanoseconds).min()]
    let limit = min(times.compactMap(\.self).min().map { max(0, $0 - now) } ?? .max, Self.longestWait)
    var entries = [pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)]
    let descriptor = mosquitto.descriptor
    if descriptor >= 0 {
      let isWriting = isConnecting ? !hasMet : mosquitto.wantsToWrite
      entries.append(pollfd(fd: descriptor, events: Int16(isWriting ? POLLIN | POLLOUT : POLLIN), revents: 0))
    }
    cplatform_poll(&entries, UInt(entries.count), limit)
    if case .away = phase { return }
    process(entries.count > 1 ? entries[1].revents : 0)
  }

  // MARK: End

  private func finish() {
    if phase.isConnected { mosquitto.disconnect() }
    phase = .away(nextAttempt: .max)
    let error = SignalError(.unknown, code: 0, "the client of \(options.brokerURL) has been stopped")
    for request in mailbox.end() {
      switch request {
      case .send(let message): queue.append(message)
      case .refuse(let completion, let error): completion(.failure(error))
      case .open(let request): openRequests.append(request)
      }
    }
    for message in queue.takeAll() { message.completion(.failure(error)) }
    failOpenRequests(SignalError(.notConnected, code: 0, error.message))
  }
}
