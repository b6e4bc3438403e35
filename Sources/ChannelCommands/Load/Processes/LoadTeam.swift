import CommandLineKit
import JSON
import NetworkIO
import Platform
import RelayClient
import RelayLoad

/// The course of a load over several processes: each serves a share of the users, and this one adds their measurements.
///
///     LoadTeam ─┬─▶ LoadProcess ═▶ LoadWorker ─▶ relay
///               └─▶ LoadProcess ═▶ LoadWorker ─▶ relay
///
/// Packets begin and cease to count at the same moments of the monotonic clock, which all processes share.
///
/// Thread: one at a time.
final class LoadTeam {
  private let options: LoadOptions
  private let console: Console
  private let clock = SystemClock()
  private let progress: Progress
  private let startNanoseconds: Int
  private let processes: [LoadProcess]

  /// Time from the start of the processes to the first join.
  private static let startingNanoseconds = 200_000_000
  /// Time between the last join and the first counted packet, in which the relay becomes idle.
  private static let settlingNanoseconds = 500_000_000
  /// Time for the packets under way at the end.
  private static let endingNanoseconds = 1_000_000_000
  /// Time for the measurements of a process that has been told to leave.
  private static let leavingNanoseconds = 10_000_000_000
  /// Longest wait: a signal is noticed within it.
  private static let longestWait = 50_000_000

  /// Starts the processes.
  ///
  /// - Throws: exit code 74 if the system gives too few processes.
  init(_ options: LoadOptions, _ console: Console) throws(CommandFailure) {
    self.options = options
    self.console = console
    progress = options.makeProgress(console)
    var processes: [LoadProcess] = []
    let shares = (0..<options.processCount).map { LoadShare(index: $0, count: options.processCount) }
    for share in shares { processes.append(try LoadProcess(share, words: options.workerWords)) }
    startNanoseconds = clock.nowNanoseconds + Self.startingNanoseconds
    for (process, share) in zip(processes, shares) {
      process.send(.begin(share, startNanoseconds: startNanoseconds, wantsSeconds: options.format == .jsonLines))
    }
    self.processes = processes
  }

  /// Runs to the end, or to a signal.
  ///
  /// - Throws: exit code 69 if nobody can join, 77 if the tokens are refused, 74 if a process ends early.
  func run() throws -> LoadResult {
    defer { progress.finish() }
    // A wrong URL shows before the users join.
    _ = try options.relayMeter?.read()
    while processes.contains(where: \.state.isRamping), !isInterrupted {
      try wait(atMost: Self.longestWait)
      try checkFirstJoin()
    }
    let begin = clock.nowNanoseconds + (isInterrupted ? 0 : Self.settlingNanoseconds)
    let end = begin + (isInterrupted ? 0 : Int(options.durationSeconds * 1e9))
    for process in processes { process.send(.count(from: begin, until: end)) }
    while clock.nowNanoseconds < begin { try wait(atMost: min(Self.longestWait, begin - clock.nowNanoseconds)) }
    let start = try options.relayMeter?.read()
    while clock.nowNanoseconds < end, !isInterrupted {
      try wait(atMost: min(Self.longestWait, end - clock.nowNanoseconds))
    }
    if isInterrupted { for process in processes { process.send(.end) } }
    let duration = Double(max(0, min(end, clock.nowNanoseconds) - begin)) / 1e9
    let relayEnd = options.readRelay(console)
    try wait(atMost: Self.endingNanoseconds) { isComplete }
    let use = RelayUse(
      from: start, to: relayEnd, settled: relayEnd == nil ? nil : options.readRelay(console), durationSeconds: duration)
    return LoadResult(
      options.plan, try gather(), durationSeconds: duration, isSimulated: false, processCount: processes.count,
      relay: use)
  }

  private var isInterrupted: Bool { InterruptHandler.pending != nil }

  /// Whether every packet that counts has arrived.
  private var isComplete: Bool {
    let states = processes.map(\.state)
    return states.allSatisfy(\.isOver)
      && states.reduce(0) { $0 + $1.receivedCount } >= states.reduce(0) { $0 + $1.expectedCount }
  }

  /// Ends a load of which the first users already fail: the others would fail for the same reason.
  private func checkFirstJoin() throws(CommandFailure) {
    guard processes.allSatisfy({ $0.state.joinedCount == 0 }) else { return }
    if let failure = LoadPart.sum(processes.flatMap(\.state.failures)).first {
      throw CommandFailure(channel: failure.error)
    }
  }

  /// Lets the users leave, and adds the measurements.
  private func gather() throws -> LoadPart {
    for process in processes { process.send(.leave) }
    try wait(atMost: Self.leavingNanoseconds) { processes.allSatisfy { $0.part != nil } }
    var sum = LoadPart()
    for process in processes {
      guard let part = process.part else {
        throw CommandFailure(.inputOutput, "a process of the load does not report its figures; run the load again")
      }
      sum.add(part)
    }
    for process in processes { process.waitForEnd() }
    return sum
  }

  /// Serves the processes for a time, or until a condition holds.
  private func wait(atMost nanoseconds: Int, until isOver: () -> Bool) throws {
    let end = clock.nowNanoseconds + nanoseconds
    while !isOver() {
      let rest = end - clock.nowNanoseconds
      guard rest > 0 else { return }
      try wait(atMost: min(rest, Self.longestWait))
    }
  }

  /// Waits for news, and passes them on.
  private func wait(atMost nanoseconds: Int) throws {
    UDPSocket.wait(for: [], or: processes.compactMap(\.descriptor), atMostNanoseconds: max(0, nanoseconds))
    for process in processes { try process.read() }
    tellListeners()
    while processes.allSatisfy({ $0.secondCount > 0 }) { try writeSecond() }
    progress.set(Double(clock.nowNanoseconds - startNanoseconds) / 1e9, of: "load")
  }

  /// Tells each process of the listeners of the others, if they have changed.
  private func tellListeners() {
    var sums = [Int](repeating: 0, count: options.plan.channels.count)
    for process in processes { for (channel, count) in process.state.listeners.enumerated() { sums[channel] += count } }
    for process in processes where process.part == nil {
      let own = process.state.listeners
      let others = sums.enumerated().map { $1 - ($0 < own.count ? own[$0] : 0) }
      guard others != process.otherListeners else { continue }
      process.otherListeners = others
      process.send(.otherListeners(others))
    }
  }

  private func writeSecond() throws {
    var sum: LoadSecond?
    for second in processes.compactMap({ $0.takeSecond() }) {
      if sum == nil { sum = second } else { sum?.add(second) }
    }
    if let sum { try console.output.writeLine(LoadLine.text(sum)) }
  }
}
