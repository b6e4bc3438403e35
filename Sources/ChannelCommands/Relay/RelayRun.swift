import CommandLineKit
import Glibc
import JSON
import NetworkIO
import Platform
import Relay

/// A relay that serves until a signal: SIGHUP reads the configuration file again, SIGTERM drains.
///
/// Thread: one.
struct RelayRun {
  private let parsed: ParsedArguments
  private let relay: RelayServer
  private let console: Console
  /// Settings at the start, for those that only a restart changes.
  private let start: RelayOptions
  private var offered: OfferedAddresses
  /// Time of a drain, in nanoseconds; 0 for none.
  private var drainNanoseconds: Int
  /// Relays to which the clients of a drain move.
  private var alternativeRelays: [String]
  /// Connections that had failed to be accepted at the last warning.
  private var failedAccepts = 0
  /// Dropped datagrams at the last warning, and the time before which no other comes.
  private var droppedDatagrams = 0
  private var nextDropWarningNanoseconds = Int.min
  /// Steps of the calendar at the last report.
  private var clockSteps = 0
  /// Time before which no other warning of this kind comes.
  private var nextWarningNanoseconds = Int.min

  init(
    _ parsed: ParsedArguments, _ options: RelayOptions, _ offered: OfferedAddresses, _ relay: RelayServer,
    _ console: Console
  ) {
    self.offered = offered
    self.parsed = parsed
    self.relay = relay
    self.console = console
    start = options
    drainNanoseconds = options.configuration.drainNanoseconds
    alternativeRelays = options.configuration.alternativeRelays
  }

  /// Waits for a signal. After SIGTERM, the relay waits for its clients.
  mutating func wait() {
    let clock = SystemClock()
    var end: Int?
    while true {
      clock.wait(untilNanoseconds: clock.nowNanoseconds + 50_000_000)
      if InterruptHandler.takeReload() { reload() }
      writeUserLog()
      checkAccepts(clock.nowNanoseconds)
      checkClock()
      if offered.poll(console) { relay.offer(offered.addresses) }
      checkDrops(clock.nowNanoseconds)
      guard let pending = InterruptHandler.pending else { continue }
      guard pending == .terminated, drainNanoseconds > 0 else { return }
      let now = clock.nowNanoseconds
      if end == nil {
        end = now + drainNanoseconds
        relay.drain()
        console.log.info(drainText(sessions: relay.statistics.sessions))
      } else if now >= end! || relay.statistics.sessions == 0 {
        return
      }
    }
  }

  /// Writes the lines about users.
  func writeUserLog() {
    guard start.logsUsers else { return }
    for line in relay.takeUserLog() { console.log.debug(line) }
  }

  /// Warns about connections that cannot be accepted, at most once a minute.
  private mutating func checkAccepts(_ now: Int) {
    let count = relay.webSocketCounters.failedAccepts
    guard count > failedAccepts, now >= nextWarningNanoseconds else { return }
    failedAccepts = count
    nextWarningNanoseconds = now + 60_000_000_000
    console.log.warning(
      "new connections wait: the system has no file descriptor or memory for them; raise the limit, as with ulimit -n "
        + "or LimitNOFILE")
  }

  /// Reports a step of the system's calendar.
  private mutating func checkClock() {
    let counters = relay.statistics.counters
    guard counters.clockSteps > clockSteps else { return }
    clockSteps = counters.clockSteps
    let step = JSONWriter.digits(Double(counters.lastClockStepMilliseconds) / 1_000, 3)
    console.log.warning("the system's clock was set by \(step) s; tokens are checked by the new time")
  }

  /// Warns about datagrams that the kernel drops, at most once a minute.
  private mutating func checkDrops(_ now: Int) {
    let count = relay.statistics.counters.droppedDatagrams
    guard count > droppedDatagrams, now >= nextDropWarningNanoseconds else { return }
    nextDropWarningNanoseconds = now + 60_000_000_000
    console.log.warning(
      "the kernel dropped \(count - droppedDatagrams) datagrams that the relay came too late for; give it a processor, more "
        + "workers (--workers), or fewer users")
    droppedDatagrams = count
  }

  private func drainText(sessions count: Int) -> String {
    let end = UTCTime(secondsSince1970: time(nil) + drainNanoseconds / 1_000_000_000).secondText
    let (subject, have) = count == 1 ? ("1 session", "has") : ("\(count) sessions", "have")
    guard !alternativeRelays.isEmpty else { return "draining: no new sessions; \(subject) \(have) until \(end) to end" }
    return "draining: no new sessions; \(subject) \(count == 1 ? "is" : "are") told to move to "
      + "\(alternativeRelays.joined(separator: ", ")), and \(have) until \(end)"
  }

  /// Reads the configuration file and the certificates again. A fault in them changes nothing.
  private mutating func reload() {
    guard start.configPath != nil else {
      console.log.info("SIGHUP is ignored: the relay has started without a file to read; add --config FILE")
      return
    }
    let options: RelayOptions
    do {
      options = try RelayOptions(parsed)
      if start.tls != nil, let tls = options.tls { try relay.reloadCertificates(tls) }
    } catch {
      console.log.error("the present settings stay: \(error)")
      return
    }
    for sentence in options.exposedFiles { console.log.warning(sentence) }
    for name in options.changesForRestart(from: start) {
      console.log.warning("'\(name)' has changed, and the relay runs with its earlier value; restart it")
    }
    relay.reconfigure(options.configuration)
    if offered.advertise(options.advertised.at(start.addresses), console) { relay.offer(offered.addresses) }
    drainNanoseconds = options.configuration.drainNanoseconds
    alternativeRelays = options.configuration.alternativeRelays
    let count = options.configuration.apps.count
    console.log.info("settings read again: \(count) \(count == 1 ? "app" : "apps")")
  }
}
