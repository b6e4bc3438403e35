import CommandLineKit
import Glibc
import Platform
import RelayClient
import RelayLoad

/// One of several processes of a load: serves its share of the users, as the orders on stdin say.
///
///     LoadTeam ═ stdin: LoadOrder ═▶ LoadWorker ═ stdout: LoadNews ═▶ LoadTeam
///
/// It ends with the end of stdin, so that it never outlives the process that started it.
///
/// Thread: one, which serves all users.
final class LoadWorker {
  /// Variable of the environment that makes `load` a worker.
  static let variable = "AUDIOPIPE_LOAD_WORKER"

  private let console: Console
  private let loop: SocketLoadLoop
  private let wantsSeconds: Bool
  private var orders: PipeLines
  private var users: LoadUsers { loop.users }
  /// Time in which packets count; nil before the order.
  private var period: Range<Int>?
  private var isCounting = false
  private var isOver = false
  private var isLeaving = false
  private var nextReportNanoseconds = 0
  /// End of the present second, its number, and the counts at its beginning.
  private var second = (endNanoseconds: 0, number: 1, counts: LoadCounts())
  private var newest = LoadState()
  private var start = ProcessorTime()
  private var end = ProcessorTime()
  private var droppedBefore = 0

  /// Longest turn: an order is seen within it.
  private static let longestTurn = 20_000_000
  /// Time between two states.
  private static let reportInterval = 50_000_000
  private static let leavingNanoseconds = 1_000_000_000

  /// Runs a worker to its end.
  static func run(_ options: LoadOptions, _ console: Console) throws -> ExitCode {
    do {
      var orders = PipeLines(STDIN_FILENO)
      guard let first = takeFirst(&orders) else { return InterruptHandler.pending ?? .success }
      guard case .begin(let share, let start, let wantsSeconds) = LoadOrder(first) else { throw unknown(first) }
      var plan = options.plan
      (plan.share, plan.startNanoseconds) = (share, start)
      let loop = try SocketLoadLoop(plan, verification: options.verification)
      defer { loop.stop() }
      return try LoadWorker(loop, orders, wantsSeconds: wantsSeconds, console).run()
    } catch let failure as CommandFailure {
      try console.output.writeLine(LoadNews.failed(failure).text())
      return failure.exitCode
    }
  }

  private init(_ loop: SocketLoadLoop, _ orders: PipeLines, wantsSeconds: Bool, _ console: Console) {
    self.loop = loop
    self.orders = orders
    self.wantsSeconds = wantsSeconds
    self.console = console
  }

  private static func unknown(_ line: String) -> CommandFailure {
    CommandFailure(.protocolError, "a process of the load got an unknown order; unset \(variable)")
  }

  private static func takeFirst(_ orders: inout PipeLines) -> String? {
    while InterruptHandler.pending == nil, !orders.isAtEnd {
      if let line = orders.take().first { return line }
      var entry = pollfd(fd: orders.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, 50)
    }
    return nil
  }

  private func run() throws -> ExitCode {
    while !isLeaving {
      if let code = InterruptHandler.pending { return code }
      loop.turn(until: nextNanoseconds)
      for line in orders.take() { try carryOut(line) }
      // The process that started this one has ended.
      if orders.isAtEnd { return .success }
      try advance(loop.clock.nowNanoseconds)
    }
    try console.output.writeLine(LoadNews.part(part).text())
    users.leave()
    let end = loop.clock.nowNanoseconds + Self.leavingNanoseconds
    while !users.isLeft, loop.clock.nowNanoseconds < end { loop.turn(until: end) }
    return .success
  }

  private var nextNanoseconds: Int {
    var next = loop.clock.nowNanoseconds + Self.longestTurn
    if let period, !isOver { next = min(next, isCounting ? period.upperBound : period.lowerBound) }
    return isCounting && wantsSeconds ? min(next, second.endNanoseconds) : next
  }

  private func carryOut(_ line: String) throws(CommandFailure) {
    switch LoadOrder(line) {
    case .otherListeners(let counts)?:
      if counts.count == users.listeners.count { users.otherListeners = counts }
    case .count(let start, let end)?: period = start..<max(start, end)
    case .end?:
      // Nothing has counted, or no longer counts.
      if !isCounting { (start, end) = (ProcessorTime(), ProcessorTime()) }
      finishCounting()
    case .leave?: isLeaving = true
    case .begin?, nil: throw Self.unknown(line)
    }
  }

  /// Begins and ends the counting, and reports.
  private func advance(_ now: Int) throws {
    if let period, !isOver {
      if !isCounting, now >= period.lowerBound {
        isCounting = true
        start = ProcessorTime()
        droppedBefore = loop.droppedCount
        second = (period.lowerBound + 1_000_000_000, 1, users.figures.counts)
        users.beginCounting()
      }
      while isCounting, wantsSeconds, now >= second.endNanoseconds { try reportSecond() }
      if now >= period.upperBound { finishCounting() }
    }
    guard now >= nextReportNanoseconds else { return }
    nextReportNanoseconds = now + Self.reportInterval
    try reportState()
  }

  private func finishCounting() {
    guard !isOver else { return }
    users.endSending()
    if isCounting { end = ProcessorTime() }
    (isOver, isCounting) = (true, false)
    nextReportNanoseconds = 0
  }

  private func reportSecond() throws {
    let (joined, counts) = (users.joinedCount, users.figures.counts)
    let line = LoadSecond(
      number: second.number, joinedCount: joined, counts: counts - second.counts,
      delays: users.figures.takeRecentDelays())
    try console.output.writeLine(LoadNews.second(line).text())
    second = (second.endNanoseconds + 1_000_000_000, second.number + 1, counts)
  }

  private func reportState() throws {
    var state = LoadState()
    state.isRamping = users.isRamping
    state.isOver = isOver
    state.joinedCount = users.joinedCount
    state.expectedCount = users.figures.counts.expected
    state.receivedCount = users.figures.counts.received
    state.listeners = users.listeners
    state.failures = users.failures
    if state.joinedCount == 0, state.failures.isEmpty, let failure = loop.failure { throw failure }
    let isUnchanged =
      state.listeners == newest.listeners
      && state.failures.elementsEqual(newest.failures) { $0.error == $1.error && $0.count == $1.count }
    newest = state
    try console.output.writeLine(LoadNews.state(state).text(isUnchanged: isUnchanged))
  }

  private var part: LoadPart {
    var part = users.part
    part.droppedCount = loop.droppedCount - droppedBefore
    part.processNanoseconds = end.process - start.process
    part.threadNanoseconds = end.thread - start.thread
    return part
  }
}
