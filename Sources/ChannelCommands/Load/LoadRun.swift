import CommandLineKit
import Platform
import RelayClient
import RelayLoad

/// The course of a load: ramp, measurement, end.
///
/// Thread: one, which serves all users.
final class LoadRun {
  private let options: LoadOptions
  private let console: Console
  private let loop: any LoadLoop
  private let progress: Progress
  private let startNanoseconds: Int
  private var clock: any EngineClock { loop.clock }
  private var users: LoadUsers { loop.users }

  /// Time between the last join and the first counted packet, in which the relay becomes idle.
  private static let settlingNanoseconds = 500_000_000
  /// Time for the packets under way at the end, and then for leaving.
  private static let endingNanoseconds = 1_000_000_000
  /// Longest turn: a signal is noticed within it.
  private static let longestTurn = 50_000_000

  /// Prepares the users.
  ///
  /// - Throws: exit code 69 if the system gives too few descriptors.
  init(_ options: LoadOptions, _ console: Console) throws {
    let plan = options.plan
    self.options = options
    self.console = console
    let loop: any LoadLoop =
      if let network = options.network {
        SimulatedLoadLoop(plan, network)
      } else {
        try SocketLoadLoop(plan, verification: options.verification)
      }
    self.loop = loop
    let start = loop.clock.nowNanoseconds
    startNanoseconds = start
    progress = options.makeProgress(console)
  }

  /// Runs to the end, or to a signal.
  ///
  /// - Throws: exit code 69 if nobody can join, 77 if the tokens are refused.
  func run() throws -> LoadResult {
    defer {
      loop.stop()
      progress.finish()
    }
    // A wrong URL shows before the users join.
    _ = try options.relayMeter?.read()
    while users.isRamping, !isInterrupted {
      turn(until: clock.nowNanoseconds + Self.longestTurn)
      try checkFirstJoin()
    }
    pass(Self.settlingNanoseconds)
    let relayStart = try options.relayMeter?.read()
    let (start, begin) = (ProcessorTime(), clock.nowNanoseconds)
    let droppedBefore = loop.droppedCount
    users.beginCounting()
    try measure(from: begin)
    users.endSending()
    let (end, duration) = (ProcessorTime(), Double(clock.nowNanoseconds - begin) / 1e9)
    let relayEnd = options.readRelay(console)
    pass(Self.endingNanoseconds) { [figures = users.figures] in figures.counts.received >= figures.counts.expected }
    let use = RelayUse(
      from: relayStart, to: relayEnd, settled: relayEnd == nil ? nil : options.readRelay(console),
      durationSeconds: duration)
    var part = users.part
    part.droppedCount = loop.droppedCount - droppedBefore
    part.processNanoseconds = end.process - start.process
    part.threadNanoseconds = end.thread - start.thread
    let result = LoadResult(
      options.plan, part, durationSeconds: duration, isSimulated: options.network != nil, processCount: 1, relay: use)
    users.leave()
    pass(Self.endingNanoseconds) { [users] in users.isLeft }
    return result
  }

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
    let second = LoadSecond(
      number: seconds, joinedCount: users.joinedCount, counts: users.figures.counts - old,
      delays: users.figures.takeRecentDelays())
    try console.output.writeLine(LoadLine.text(second))
  }

  /// Ends a load of which the first users already fail: the others would fail for the same reason.
  private func checkFirstJoin() throws(CommandFailure) {
    guard users.joinedCount == 0 else { return }
    if let failure = users.failures.first { throw CommandFailure(channel: failure.error) }
    if let failure = loop.failure { throw failure }
  }

  /// Serves the users for a time, or until a condition holds.
  private func pass(_ nanoseconds: Int, until isOver: () -> Bool = { false }) {
    let end = clock.nowNanoseconds + nanoseconds
    while clock.nowNanoseconds < end, !isOver() { turn(until: end) }
  }

  private func turn(until end: Int) {
    loop.turn(until: end)
    progress.set(Double(clock.nowNanoseconds - startNanoseconds) / 1e9, of: "load")
  }
}
