import CommandTestSupport
import TestSupport
import Testing

@testable import CommandLineKit
@testable import Commands

@Suite("Progress", .timeLimit(.minutes(10)))
struct ProgressTests {
  private let clock = ManualClock()
  private let lines = Lines()

  private func progress(_ mode: ProgressMode, total: Duration?, columnCount: Int = 80) -> Progress {
    Progress(
      mode: mode, total: total, errors: ErrorStream(sink: { [lines] in lines.append($0) }),
      now: { [clock] in clock.now },
      columnCount: { columnCount })
  }

  @Test("A bar is drawn at most 10 times a second", .shows("progress"))
  func barRate() {
    let progress = progress(.bar, total: .seconds(30))
    for _ in 0..<3000 {
      progress.advance(by: .milliseconds(10))
      clock.advance(by: .milliseconds(1))
    }
    #expect(lines.all.count == 30)
  }

  @Test("a bar shows percentage, speed and ETA, and stays at its end")
  func barText() {
    let progress = progress(.bar, total: .seconds(100))
    clock.advance(by: .seconds(2))
    progress.advance(by: .seconds(25))
    #expect(lines.all == ["\r\u{1B}[K[######------------------] 25 %, 12.5x real time, ETA 0:06"])
    clock.advance(by: .seconds(6))
    progress.advance(by: .seconds(75))
    progress.finish()
    #expect(
      lines.all.dropFirst() == [
        "\r\u{1B}[K[########################] 100 %, 12.5x real time, ETA 0:00", "\n",
      ])
  }

  @Test("A stream of unknown length has no percentage and no ETA")
  func unknownLength() {
    let progress = progress(.bar, total: nil)
    clock.advance(by: .seconds(1))
    progress.advance(by: .seconds(3725))
    #expect(lines.all == ["\r\u{1B}[K1:02:05 done, 3725.0x real time"])
  }

  @Test("A narrow terminal gets no bar, and never a full line")
  func narrow() {
    let progress = progress(.bar, total: .seconds(100), columnCount: 20)
    clock.advance(by: .seconds(2))
    progress.advance(by: .seconds(25))
    #expect(lines.all == ["\r\u{1B}[K25 %, 12.5x real ti"])
  }

  @Test("Plain lines come at most every 10 s, and a short job says nothing", .shows("progress"))
  func plain() {
    let progress = progress(.plain, total: .seconds(1000))
    for _ in 0..<999 {
      progress.advance(by: .milliseconds(100))
      clock.advance(by: .milliseconds(10))
    }
    #expect(lines.all.isEmpty)
    for _ in 0..<2500 {
      clock.advance(by: .milliseconds(10))
      progress.advance(by: .milliseconds(100))
    }
    #expect(lines.all.count == 3)
    #expect(lines.all.first == "audiopipe: 10 %, 10.0x real time, ETA 1:30\n")
    progress.finish()
    #expect(lines.all.count == 4)
  }

  @Test("a short plain job writes no line, and mode none is silent")
  func silence() {
    for mode in [ProgressMode.plain, .none] {
      let progress = progress(mode, total: .seconds(1))
      progress.advance(by: .seconds(1))
      progress.finish()
    }
    #expect(lines.all.isEmpty)
  }

  @Test("A job that failed before anything was done leaves no bar")
  func nothingDone() {
    progress(.bar, total: nil).finish()
    #expect(lines.all.isEmpty)
  }

  @Test("A job that is longer than it said stops at 100 %")
  func tooLong() {
    let progress = progress(.bar, total: .seconds(10))
    clock.advance(by: .seconds(1))
    progress.advance(by: .seconds(20))
    #expect(lines.joined.hasSuffix(" 100 %, 20.0x real time, ETA 0:00"))
  }

  @Test("auto is a bar on a terminal, lines elsewhere, nothing when quiet")
  func modes() {
    #expect(ProgressMode.auto.resolved(isInteractive: true, isQuiet: false) == .bar)
    #expect(ProgressMode.auto.resolved(isInteractive: false, isQuiet: false) == .plain)
    #expect(ProgressMode.auto.resolved(isInteractive: true, isQuiet: true) == .none)
    #expect(ProgressMode.bar.resolved(isInteractive: false, isQuiet: true) == .bar)
  }
}
