import CommandLineKit
import OfflineProcessing
import RelayLoad

/// One of several processes of a load, from the side of the process that started it.
///
/// Thread: one at a time.
final class LoadProcess {
  /// Its last state.
  private(set) var state = LoadState()
  /// Its measurements; nil before its end.
  private(set) var part: LoadPart?
  /// Listeners that it was told of.
  var otherListeners: [Int] = []
  private var seconds: [LoadSecond] = []
  private let name: String
  private let child: ChildProcess
  private var lines: PipeLines

  /// Starts the process; it waits for its first order.
  ///
  /// - Throws: exit code 74 if the system gives no process.
  init(_ share: LoadShare, words: [String]) throws(CommandFailure) {
    name = "process \(share.index + 1) of \(share.count) of the load"
    let quoted = words.map {
      "'" + $0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
    // The file that runs here, even if another one has its name meanwhile.
    let (child, failure) = ChildProcess.start(
      "exec /proc/$PPID/exe load " + quoted.joined(separator: " "), environment: [LoadWorker.variable: "1"],
      standardOutput: nil)
    guard let child else {
      throw CommandFailure(
        .inputOutput, "\(name) cannot be started (\(systemErrorText(failure))); lower --processes")
    }
    self.child = child
    lines = PipeLines(child.output)
  }

  /// Descriptor to wait for; nil behind the end.
  var descriptor: Int32? { lines.isAtEnd ? nil : lines.descriptor }

  /// Gives an order. A process that has ended takes none, and `read` then throws.
  func send(_ order: LoadOrder) { _ = writeAll(order.text + "\n", to: child.input) }

  /// Reads its news.
  ///
  /// - Throws: the failure with which it has ended; exit code 74 if it ended without one.
  func read() throws(CommandFailure) {
    for line in lines.take() {
      switch LoadNews(line, after: state) {
      case .state(let new)?: state = new
      case .second(let second)?: seconds.append(second)
      case .part(let new)?: part = new
      case .failed(let failure)?: throw failure
      case nil: throw CommandFailure(.protocolError, "\(name) has written an unknown line; run the load again")
      }
    }
    guard lines.isAtEnd, part == nil else { return }
    throw CommandFailure(.inputOutput, "\(name) has ended early (\(ending)), with its figures; run the load again")
  }

  /// Takes the oldest second that nobody has taken; nil if there is none.
  func takeSecond() -> LoadSecond? { seconds.isEmpty ? nil : seconds.removeFirst() }

  /// Number of seconds that nobody has taken.
  var secondCount: Int { seconds.count }

  /// Waits for the end of a process that has been told to leave, for some seconds at most.
  func waitForEnd() {
    child.closeInput()
    var attempts = 0
    _ = child.wait {
      attempts += 1
      return attempts > 150
    }
  }

  private var ending: String {
    var attempts = 0
    let ending = child.wait {
      attempts += 1
      return attempts > 50
    }
    return switch ending {
    case .exited(let status)?: "exit code \(status)"
    case .signalled(let number)?: "signal \(number)"
    case nil: "it has closed its output"
    }
  }
}
