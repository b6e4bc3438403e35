import CommandLineKit
import JSON
import RelayLoad

/// News of a process of a load, a line of JSON on its stdout.
enum LoadNews {
  /// Its state.
  case state(LoadState)
  /// A second that has ended.
  case second(LoadSecond)
  /// Its measurements, behind everything else.
  case part(LoadPart)
  /// The reason for which it ends early.
  case failed(CommandFailure)
}

extension LoadNews {
  /// Returns the news as a line. Listeners and failures of a state are left out if they are as in the state before.
  func text(isUnchanged: Bool = false) -> String {
    var json = JSONWriter()
    json.object { json in
      switch self {
      case .state(let state):
        json.numbers(
          "state",
          [state.isRamping ? 1 : 0, state.isOver ? 1 : 0, state.joinedCount, state.expectedCount, state.receivedCount])
        if isUnchanged { return }
        json.numbers("listeners", state.listeners)
        json.field("failures", state.failures)
      case .second(let second):
        json.numbers("second", [second.number, second.joinedCount])
        json.numbers("counts", second.counts.values)
        json.field("delays", second.delays)
      case .part(let part):
        json.numbers("part", [part.joinedCount, part.droppedCount, part.processNanoseconds, part.threadNanoseconds])
        json.field("failures", part.failures)
        json.numbers("join_times", part.joinTimes)
        json.numbers("counts", part.counts.values)
        json.field("delays", part.delays)
        json.field("lateness", part.lateness)
      case .failed(let failure):
        json.field("exit_code", Int(failure.exitCode.rawValue))
        json.field("failed", failure.sentence)
      }
    }
    return json.text
  }

  /// Reads a line behind a state; nil for a line of another program.
  init?(_ line: String, after state: LoadState) {
    guard let fields = JSONFields(line: line) else { return nil }
    if let numbers = fields.numbers("state"), numbers.count == 5 {
      self = .state(
        LoadState(
          isRamping: numbers[0] == 1, isOver: numbers[1] == 1, joinedCount: numbers[2], expectedCount: numbers[3],
          receivedCount: numbers[4], listeners: fields.numbers("listeners") ?? state.listeners,
          failures: fields.failures("failures") ?? state.failures))
    } else if let numbers = fields.numbers("second"), numbers.count == 2, let counts = fields.counts("counts"),
      let delays = fields.distribution("delays")
    {
      self = .second(LoadSecond(number: numbers[0], joinedCount: numbers[1], counts: counts, delays: delays))
    } else if let part = LoadPart(fields) {
      self = .part(part)
    } else if let sentence = fields.text("failed"), let code = fields.number("exit_code") {
      self = .failed(CommandFailure(ExitCode(rawValue: Int32(code)) ?? .unavailable, sentence))
    } else {
      return nil
    }
  }
}

extension LoadPart {
  fileprivate init?(_ fields: JSONFields) {
    guard let numbers = fields.numbers("part"), numbers.count == 4, let failures = fields.failures("failures"),
      let joinTimes = fields.numbers("join_times"), let counts = fields.counts("counts"),
      let delays = fields.distribution("delays"), let lateness = fields.distribution("lateness")
    else { return nil }
    self.init()
    (joinedCount, droppedCount) = (numbers[0], numbers[1])
    (processNanoseconds, threadNanoseconds) = (numbers[2], numbers[3])
    self.failures = failures
    self.joinTimes = joinTimes
    self.counts = counts
    self.delays = delays
    self.lateness = lateness
  }
}
