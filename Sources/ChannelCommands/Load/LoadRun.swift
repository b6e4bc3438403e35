import Channels
import CommandLineKit
import Glibc
import JSON
import NetworkIO
import Platform
import Signalling
import WebRTC

/// The course of a load on the sockets of this machine: ramp, measurement, end.
///
/// Thread: one, which serves all users.
final class LoadRun {
  private let options: LoadOptions
  private let console: Console
  private let clock = SystemClock()
  private let set: SocketSet
  private let signalling: LoadSignalling
  private let users: LoadUsers
  private let networks: [LoadNetwork]
  private let progress: Progress
  private let startNanoseconds: Int

  /// Longest wait, in nanoseconds: a signal is noticed within it.
  private static let longestWait = 50_000_000
  /// Time between the last join and the first counted packet, in which the relay becomes idle.
  private static let settlingNanoseconds = 500_000_000
  /// Time for the packets under way at the end, and then for leaving.
  private static let endingNanoseconds = 1_000_000_000
  /// Descriptors of the program beside those of the users.
  private static let ownDescriptorCount = 64

  /// Prepares the users.
  ///
  /// - Throws: exit code 69 if the system gives too few descriptors.
  init(_ options: LoadOptions, _ console: Console) throws {
    let plan = options.plan
    // Each user has a WebSocket and a UDP socket.
    try OpenFiles.allow(2 * plan.userCount + Self.ownDescriptorCount, for: "\(plan.userCount) users")
    self.options = options
    self.console = console
    do {
      set = try SocketSet()
    } catch {
      throw CommandFailure(.unavailable, "\(error)")
    }
    let (set, clock) = (set, clock)
    let signalling = LoadSignalling(userCount: plan.userCount, verification: options.verification)
    self.signalling = signalling
    let networks = (0..<plan.userCount).map { LoadNetwork(number: $0, signalling, set) }
    self.networks = networks
    users = LoadUsers(
      plan, clock: clock, certificate: DTLSCertificate(unixSeconds: time(nil)),
      makeRandom: { SystemRandomNumberGenerator() }
    ) { number in networks[number] }
    let start = clock.nowNanoseconds
    startNanoseconds = start
    let ramp = Double(plan.userCount) / plan.joinsPerSecond
    progress = Progress(
      mode: options.progress.resolved(
        isInteractive: console.canShowBar(besideLines: options.format == .jsonLines), isQuiet: options.isQuiet),
      total: .seconds(ramp + options.durationSeconds), errors: console.errors,
      now: { .nanoseconds(clock.nowNanoseconds - start) })
  }

  /// Runs to the end, or to a signal.
  ///
  /// - Throws: exit code 69 if nobody can join, 77 if the tokens are refused.
  func run() throws -> LoadResult {
    defer {
      users.stop()
      signalling.stop()
      progress.finish()
    }
    while users.isRamping, !isInterrupted {
      turn(until: clock.nowNanoseconds + Self.longestWait)
      try checkFirstJoin()
    }
    pass(Self.settlingNanoseconds)
    let (start, begin) = (ProcessorTime(watching: options.relayPID), clock.nowNanoseconds)
    let droppedBefore = droppedCount
    users.beginCounting()
    try measure(from: begin)
    users.endSending()
    let (end, duration) = (ProcessorTime(watching: options.relayPID), clock.nowNanoseconds - begin)
    pass(Self.endingNanoseconds) { [figures = users.figures] in figures.counts.received >= figures.counts.expected }
    let result = LoadResult(
      options.plan, users, durationSeconds: Double(duration) / 1e9, droppedCount: droppedCount - droppedBefore,
      from: start, to: end)
    users.leave()
    pass(Self.endingNanoseconds) { [users] in users.isLeft }
    return result
  }

  private var droppedCount: Int { networks.reduce(0) { $0 + $1.droppedCount } }

  private var isInterrupted: Bool { InterruptHandler.pending != nil }

  /// Measures for the duration, and writes a line a second.
  private func measure(from begin: Int) throws {
    let end = begin + Int(options.durationSeconds * 1e9)
    var (old, next) = (users.figures.counts, begin + 1_000_000_000)
    while clock.nowNanoseconds < end, !isInterrupted {
      turn(until: min(end, next))
      guard clock.nowNanoseconds >= next else { continue }
      if options.format == .jsonLines { try writeLine(seconds: (next - begin) / 1_000_000_000, since: old) }
      (old, next) = (users.figures.counts, next + 1_000_000_000)
    }
  }

  private func writeLine(seconds: Int, since old: LoadCounts) throws {
    var json = JSONWriter()
    json.object { json in
      json.field("time_s", seconds)
      json.field("joined", users.joinedCount)
      LoadLine.write(users.figures.counts - old, to: &json)
      LoadLine.write(users.figures.takeRecentDelays(), to: &json)
    }
    try console.output.writeLine(json.text)
  }

  /// Ends a load of which the first users already fail: the others would fail for the same reason.
  private func checkFirstJoin() throws(CommandFailure) {
    guard users.joinedCount == 0 else { return }
    if let failure = users.failures.first { throw CommandFailure(channel: failure.error) }
    if let failure = signalling.failure { throw CommandFailure(.unavailable, failure.description) }
  }

  /// Serves the users for a time, or until a condition holds.
  private func pass(_ nanoseconds: Int, until isOver: () -> Bool = { false }) {
    let end = clock.nowNanoseconds + nanoseconds
    while clock.nowNanoseconds < end, !isOver() { turn(until: end) }
  }

  /// Waits for news or the next work, and does it.
  private func turn(until end: Int) {
    let now = clock.nowNanoseconds
    let due = min(end, now + Self.longestWait, users.nextDeadlineNanoseconds ?? .max)
    set.wait(or: signalling.descriptors, atMostNanoseconds: max(0, due - now)) { users.takeDatagram(of: $0) }
    for number in signalling.collect() { users.serve(number) }
    users.poll()
    progress.set(Double(now - startNanoseconds) / 1e9, of: "load")
  }
}
