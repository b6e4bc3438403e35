import CommandLineKit
import Glibc
import RelayClient
import RelayLoad
import Signalling
import Testing

@testable import ChannelCommands

@Suite("messages between the processes of a load", .timeLimit(.minutes(10)))
struct LoadMessageTests {
  private static let failures: [(error: ChannelError, count: Int)] = [
    (ChannelError(.refused, "a \"full\" channel\n", limit: NamedLimit(name: "users", value: 2, setting: "--max")), 3),
    (ChannelError(.invalidToken, "wrong"), 1),
  ]

  private static func distribution(_ delays: [Int]) -> DelayDistribution {
    var distribution = DelayDistribution()
    for delay in delays { distribution.add(nanoseconds: delay) }
    return distribution
  }

  private static func isEqual(_ one: DelayDistribution, _ other: DelayDistribution) -> Bool {
    one.maximumNanoseconds == other.maximumNanoseconds && one.filled.elementsEqual(other.filled) { $0 == $1 }
  }

  @Test("an order reads as it was written")
  func orders() {
    let orders: [LoadOrder] = [
      .begin(LoadShare(index: 1, count: 3), startNanoseconds: 1 << 52, wantsSeconds: true), .otherListeners([]),
      .otherListeners([0, 7]), .count(from: 5, until: 9), .end, .leave,
    ]
    for order in orders { #expect(LoadOrder(order.text)?.text == order.text) }
    for line in [
      "", "{}", "[]", "{\"begin\":[3,3,0,0]}", "{\"begin\":[0,0,0,0]}", "{\"count\":[1]}", "{\"listeners\":[0.5]}",
    ] {
      #expect(LoadOrder(line) == nil, "\(line)")
    }
  }

  @Test("a state keeps its listeners over a shorter line")
  func state() throws {
    var state = LoadState()
    (state.isRamping, state.isOver, state.joinedCount) = (false, true, 4)
    (state.expectedCount, state.receivedCount) = (9, 8)
    (state.listeners, state.failures) = ([1, 2], Self.failures)
    guard case .state(let full) = LoadNews(LoadNews.state(state).text(), after: LoadState()),
      case .state(let short) = LoadNews(LoadNews.state(state).text(isUnchanged: true), after: full)
    else {
      Issue.record("a state is not read")
      return
    }
    for read in [full, short] {
      #expect(!read.isRamping && read.isOver && read.joinedCount == 4 && read.listeners == [1, 2])
      #expect(read.expectedCount == 9 && read.receivedCount == 8)
      #expect(read.failures.elementsEqual(Self.failures) { $0.error == $1.error && $0.count == $1.count })
    }
  }

  @Test("measurements read exactly as they were written")
  func measurements() throws {
    var part = LoadPart()
    (part.joinedCount, part.droppedCount, part.processNanoseconds, part.threadNanoseconds) = (1, 2, 3, 4)
    (part.failures, part.joinTimes) = (Self.failures, [30, 10, 20])
    part.counts = try #require(LoadCounts(values: Array(1...11)))
    (part.delays, part.lateness) = (Self.distribution([1, 500, 70_000]), Self.distribution([]))
    guard case .part(let read) = LoadNews(LoadNews.part(part).text(), after: LoadState()) else {
      Issue.record("a part is not read")
      return
    }
    #expect(read.joinedCount == 1 && read.droppedCount == 2)
    #expect(read.processNanoseconds == 3 && read.threadNanoseconds == 4)
    #expect(read.joinTimes == [30, 10, 20] && read.counts == part.counts && read.failures.map(\.count) == [3, 1])
    #expect(Self.isEqual(read.delays, part.delays) && Self.isEqual(read.lateness, part.lateness))
    let second = LoadSecond(number: 2, joinedCount: 5, counts: part.counts, delays: part.delays)
    guard case .second(let sum) = LoadNews(LoadNews.second(second).text(), after: LoadState()) else {
      Issue.record("a second is not read")
      return
    }
    #expect(sum.number == 2 && sum.joinedCount == 5 && sum.counts == part.counts)
    #expect(Self.isEqual(sum.delays, part.delays))
  }

  @Test("a failure keeps its exit code, and an unknown line is refused")
  func failed() {
    let failure = CommandFailure(.tokenRefused, "the token is wrong")
    guard case .failed(failure) = LoadNews(LoadNews.failed(failure).text(), after: LoadState()) else {
      Issue.record("a failure is not read")
      return
    }
    for line in ["", "hello", "{}", "{\"state\":[1]}", "{\"second\":[1,2]}", "{\"failed\":\"x\"}"] {
      #expect(LoadNews(line, after: LoadState()) == nil, "\(line)")
    }
  }

  @Test("lines of a pipe come whole, and its end is noticed")
  func lines() {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    var lines = PipeLines(ends[0])
    defer { close(ends[0]) }
    #expect(lines.take() == [] && !lines.isAtEnd)
    #expect(writeAll("one\ntw", to: ends[1]) == 0)
    #expect(lines.take() == ["one"] && !lines.isAtEnd)
    #expect(writeAll("o\n\nthree", to: ends[1]) == 0)
    #expect(lines.take() == ["two", ""] && !lines.isAtEnd)
    close(ends[1])
    #expect(lines.take() == [] && lines.isAtEnd)
  }
}
